#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "lint/host/readers/readers.h"

namespace msci::host {
namespace {

constexpr std::size_t most_bindings_of_dispatch = 256;
constexpr int deepest_variable = 8;
constexpr std::string_view compile_shader = "compile_shader";  // of torch.mps

bool is_kernel_name(std::string_view text) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::ranges::all_of(text, is_part);
}

bool begins_function(const Word& word) {
  return word.is("func") || word.is("fn") || word.is("def") || word.is("init");
}

// An encoder, while a function uses it.
struct Encoder {
  std::string_view kernel;    // of its pipeline; empty if unknown
  bool has_pipeline = false;  // one that no dispatch has used
  std::vector<HostBinding> bindings;
  std::set<unsigned> fresh;  // indices that were bound since the last dispatch
  bool bindings_known = false;
};

class Reader {
 public:
  Reader(const Source& file, HostLanguage language, unsigned lines_before, Host& host)
      : words_(words_in(file.text, language)),
        calls_(words_, language),
        variables_(calls_, language),
        values_(calls_, variables_, language),
        lines_(file.text),
        language_(language),
        lines_before_(lines_before),
        host_(host) {}

  void run() {
    host_.dispatches_known = false;
    count_libraries();
    auto next = calls_.all().begin();
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (begins_function(words_[i])) encoders_.clear();
      if (next != calls_.all().end() && next->at == i) read(*next++);
      if (words_[i].is_name()) notice_use(i);
    }
    // The kernels of other libraries of torch are fetched in a way that is not followed.
    const auto of_torch = std::ranges::count(calls_.all(), compile_shader, &TextCall::name);
    if (std::cmp_greater(of_torch, used_libraries_.size())) host_.names_known = false;
  }

 private:
  Range range_of(const TextCall& call) const {
    auto begin = lines_.at(words_[call.at].offset), end = lines_.at(words_[call.close].end());
    begin.line += lines_before_;
    end.line += lines_before_;
    return {begin, end};
  }

  // An encoder that is handed to other code may get bindings there.
  void notice_use(std::size_t at) {
    const auto encoder = encoders_.find(words_[at].text);
    if (encoder == encoders_.end()) return;
    const bool is_receiver =
        calls_.is(at + 1, ".") ||
        ((calls_.is(at + 1, "?") || calls_.is(at + 1, "!")) && calls_.is(at + 2, "."));
    if (!is_receiver) encoder->second.bindings_known = false;
  }

  void read(const TextCall& call) {
    if (const auto library = shader_library(call)) {
      used_libraries_.insert(*library);
      return dispatch_shader(call);
    }
    const auto* known = encoder_call(call.name);
    if (!known) {
      if (const auto encoder = encoders_.find(call.receiver); encoder != encoders_.end())
        encoder->second.bindings_known = false;
      return;
    }
    switch (known->step) {
      case EncoderStep::fetch:
        return fetch(call);
      case EncoderStep::begin:
        return begin(call);
      case EncoderStep::end:
        encoders_.erase(call.receiver);
        return;
      case EncoderStep::make:
      case EncoderStep::other:
        return;
      default:
        if (!call.receiver.empty()) encode(call, *known);
    }
  }

  // Whether it has the arguments of Metal's own function. Others of that name belong to the host.
  bool is_of_metal(const TextCall& call, EncoderStep step) const {
    const bool binds = step == EncoderStep::bind_buffer || step == EncoderStep::bind_value;
    if (!binds && step != EncoderStep::dispatch) return true;
    if (language_ != HostLanguage::swift) return call.arguments.size() == (binds ? 3 : 2);
    const auto has = [&](std::string_view label) {
      return std::ranges::find(call.arguments, label, &CallArgument::label) != call.arguments.end();
    };
    if (!binds) return has("threadsPerThreadgroup");
    return call.arguments[0].label.empty() && has("index") &&
           has(step == EncoderStep::bind_buffer ? "offset" : "length");
  }

  void encode(const TextCall& call, const EncoderCall& known) {
    auto& encoder = encoders_[call.receiver];
    if (call.arguments.empty() || !is_of_metal(call, known.step)) {
      encoder.bindings_known = false;
      return;
    }
    switch (known.step) {
      case EncoderStep::use:
        return use(call, encoder);
      case EncoderStep::bind_buffer:
      case EncoderStep::bind_value:
        return bind(call, known, encoder);
      case EncoderStep::bind_unknown:
        encoder.bindings_known = false;
        return;
      default:
        return dispatch(call, known, encoder);
    }
  }

  // The string that is all of a name; nothing if the name is put together.
  std::optional<std::string_view> string_in(WordRange range) const {
    std::optional<std::string_view> found;
    for (auto at = range.first; at < range.end; ++at) {
      if (words_[at].is("+") || words_[at].is("%")) return std::nullopt;
      if (!words_[at].is_string()) continue;
      const bool is_key =
          at > 0 && words_[at - 1].is("[");  // of a table, which need not be a kernel
      if (found || is_key || words_[at].has_values || !is_kernel_name(words_[at].body))
        return std::nullopt;
      found = words_[at].body;
    }
    return found;
  }

  void fetch(const TextCall& call) {
    if (call.arguments.empty()) return;
    const auto name = string_in(call.arguments[0].value);
    if (name)
      host_.fetched.push_back({std::string(*name), range_of(call)});
    else
      host_.names_known = false;
  }

  // The kernel of a pipeline: a fetch inside of the range, or that of the variable that it names.
  std::string_view kernel_in(WordRange range, int depth) {
    if (depth > deepest_variable) return "";
    if (const auto name = string_in(range)) return *name;
    std::string_view found;
    for (auto at = range.first; at < range.end; ++at) {
      if (words_[at].is_string()) return "";
      if (!words_[at].is_name() || calls_.is(at + 1, "(")) continue;
      const auto kernel = kernel_of(at, depth);
      if (kernel.empty()) continue;
      if (!found.empty() && found != kernel) return "";
      found = kernel;
    }
    return found;
  }

  // Each variable is worked out once.
  std::string_view kernel_of(std::size_t name, int depth) {
    const auto value = variables_.assigned_to(name);
    if (!value) return "";
    const auto [known, is_new] = kernels_.try_emplace(value->first);
    if (is_new) known->second = kernel_in(*value, depth + 1);
    return known->second;
  }

  // `let encoder = commands.makeComputeCommandEncoder()`
  void begin(const TextCall& call) {
    auto at = call.at;
    while (at > 0 && !words_[at].is("=") && !words_[at].is(";") && call.at - at < 32) --at;
    const auto variable = variables_.variable_at(at);
    if (!variable.empty()) encoders_[variable] = {.bindings_known = true};
  }

  // Two pipelines or two values without a dispatch between them stand on different paths.
  void use(const TextCall& call, Encoder& encoder) {
    const auto* pipeline = call.argument("", 0);
    const auto kernel = pipeline ? kernel_in(pipeline->value, 0) : std::string_view();
    const bool is_first = !std::exchange(encoder.has_pipeline, true);
    encoder.kernel = is_first || encoder.kernel == kernel ? kernel : "";
  }

  void bind(const TextCall& call, const EncoderCall& known, Encoder& encoder) {
    const auto* index = call.argument("index", known.index);
    const auto number = index ? values_.number(index->value) : std::nullopt;
    if (!number || encoder.bindings.size() >= most_bindings_of_dispatch) {
      encoder.bindings_known = false;
      return;
    }
    HostBinding binding{.index = static_cast<unsigned>(std::min<std::size_t>(*number, 1000)),
                        .is_buffer = known.step == EncoderStep::bind_buffer,
                        .range = range_of(call)};
    const auto* value = call.argument("", known.value);
    if (binding.is_buffer)
      binding.type = value ? type_of_buffer(value->value) : "";
    else
      describe_value(call, known, binding);
    if (!encoder.fresh.insert(binding.index).second)
      binding = {.index = binding.index, .is_buffer = true, .range = binding.range};
    std::erase_if(encoder.bindings,
                  [&](const HostBinding& each) { return each.index == binding.index; });
    encoder.bindings.push_back(std::move(binding));
  }

  // The type of the elements, by the size of one that the buffer is made with.
  std::string type_of_buffer(WordRange range) const {
    std::optional<std::size_t> variable;
    for (auto at = range.first; at < range.end; ++at)
      if (words_[at].is_name() && !words_[at].is("Some") && !calls_.is(at + 1, "(")) variable = at;
    const auto value = variable ? variables_.assigned_to(*variable) : std::nullopt;
    const auto layout = value ? values_.type_measured_in(*value) : std::nullopt;
    // Bytes say nothing about what is written.
    return layout && layout->bytes > 1 ? layout->type : "";
  }

  void describe_value(const TextCall& call, const EncoderCall& known, HostBinding& binding) const {
    const auto* length = call.argument("length", known.length);
    if (!length) return;
    binding.bytes = values_.number(length->value);
    auto layout = values_.type_measured_in(length->value);
    const auto* value = call.argument("", known.value);
    if (!layout && value) layout = values_.variable_in(value->value);
    if (!layout) return;
    // A length may be unknown, or that of several values.
    if (!binding.bytes || layout->bytes == 0 || *binding.bytes % layout->bytes != 0) return;
    binding.type = layout->type;
    if (*binding.bytes == layout->bytes) binding.members = layout->members;
  }

  void dispatch(const TextCall& call, const EncoderCall& known, Encoder& encoder) {
    encoder.has_pipeline = false;
    encoder.fresh.clear();
    if (encoder.kernel.empty()) return;
    HostDispatch dispatch{.kernel = std::string(encoder.kernel),
                          .range = range_of(call),
                          .bindings = encoder.bindings,
                          .bindings_known = encoder.bindings_known};
    std::ranges::stable_sort(dispatch.bindings, {}, &HostBinding::index);
    if (const auto* group = call.argument("threadsPerThreadgroup", known.length))
      dispatch.threads = values_.threads(group->value);
    host_.dispatched.push_back(std::move(dispatch));
  }

  void count_libraries() {
    host_.libraries +=
        static_cast<std::size_t>(std::ranges::count_if(calls_.all(), [](const auto& call) {
          const auto name = call.name;
          return name == compile_shader || name.starts_with("makeLibrary") ||
                 name.starts_with("makeDefaultLibrary") || name.starts_with("new_library_with") ||
                 name.starts_with("newLibraryWith") || name == "newDefaultLibrary" ||
                 name == "new_default_library";
        }));
  }

  // The call that makes the receiver, if it is library = torch.mps.compile_shader("""…""").
  std::optional<std::size_t> shader_library(const TextCall& call) const {
    if (language_ != HostLanguage::python || call.at < 2 || !words_[call.at - 1].is("."))
      return std::nullopt;
    if (words_[call.at - 2].is(")")) {  // torch.mps.compile_shader("""…""").kernel(…)
      const auto open = calls_.match(call.at - 2);
      const auto made = calls_.in({open - std::min<std::size_t>(open, 1), open});
      const bool is_shader = !made.empty() && made.front().name == compile_shader;
      return is_shader ? std::optional(made.front().at) : std::nullopt;
    }
    if (call.receiver.empty()) return std::nullopt;
    const auto value = variables_.assigned_to(call.at - 2);
    if (!value) return std::nullopt;
    for (const auto& each : calls_.in(*value))
      if (each.name == compile_shader && each.close + 1 == value->end) return each.at;
    return std::nullopt;
  }

  // What the words alone tell of a number: torch hands over one with a fraction, such as 2.0, -1e3
  // and float(x), in 4 bytes, and an integer, such as 2, int(x) and len(x), in 8. Else "".
  std::string type_of_number(WordRange value) const {
    const auto& first = words_[value.first];
    const bool is_conversion =
        calls_.is(value.first + 1, "(") && calls_.match(value.first + 1) + 1 == value.end;
    if (is_conversion && first.is("float")) return "float";
    if (is_conversion && (first.is("int") || first.is("len"))) return "long";
    const auto& last = words_[value.end - 1];
    const auto signs = value.end - value.first - 1;
    if (signs > 1 || (signs == 1 && !first.is("-")) || last.kind != Word::Kind::number ||
        last.text.ends_with('j'))
      return "";
    const bool has_fraction = !last.text.starts_with("0x") && !last.text.starts_with("0X") &&
                              last.text.find_first_of(".eE") != std::string_view::npos;
    return has_fraction ? "float" : "long";
  }

  // The type of the elements of a tensor of numbers with fractions, if the call that makes it says
  // so: torch.zeros(n, dtype=torch.half).
  std::string type_of_tensor(WordRange value) const {
    std::optional<WordRange> made = value;
    if (value.end == value.first + 1) made = variables_.assigned_to(value.first);
    const auto calls = made ? calls_.in(*made) : std::span<const TextCall>();
    if (calls.empty() || calls.front().receiver != "torch" || calls.front().at != made->first + 2 ||
        calls.front().close + 1 != made->end)
      return "";
    const auto* type = calls.front().argument("dtype", std::string::npos);
    if (!type || type->value.empty()) return "";
    const auto& name = words_[type->value.end - 1];
    if (name.is("float32") || name.is("float")) return "float";
    return name.is("float16") || name.is("half") || name.is("bfloat16") ? "half" : "";
  }

  // library.kernel(x, y, n, threads=…, group_size=…): the arguments have the indices 0, 1, 2, …
  void dispatch_shader(const TextCall& call) {
    host_.fetched.push_back({std::string(call.name), range_of(call)});
    HostDispatch dispatch{
        .kernel = std::string(call.name), .range = range_of(call), .bindings_known = true};
    const bool casts = call.argument("arg_casts", std::string::npos) != nullptr;
    for (const auto& [label, value] : call.arguments) {
      if (value.empty()) continue;
      if (label == "group_size") dispatch.threads = values_.threads(value);
      if (words_[value.first].is("*")) dispatch.bindings_known = false;  // *arguments
      if (!label.empty() || !dispatch.bindings_known) continue;
      auto range = range_of(call);
      range.begin = lines_.at(words_[value.first].offset);
      range.end = lines_.at(words_[value.end - 1].end());
      range.begin.line += lines_before_;
      range.end.line += lines_before_;
      const auto number = casts ? std::string() : type_of_number(value);
      dispatch.bindings.push_back({.index = static_cast<unsigned>(dispatch.bindings.size()),
                                   .type = number.empty() ? type_of_tensor(value) : number,
                                   .is_buffer = number.empty(),
                                   .range = range});
      if (dispatch.bindings.size() >= most_bindings_of_dispatch) dispatch.bindings_known = false;
    }
    host_.dispatched.push_back(std::move(dispatch));
  }

  const std::vector<Word> words_;
  const Calls calls_;
  const Variables variables_;
  const Values values_;
  Lines lines_;
  HostLanguage language_;
  unsigned lines_before_;
  Host& host_;
  std::map<std::string_view, Encoder> encoders_;
  std::map<std::size_t, std::string_view> kernels_;  // of pipelines, by the word of the value
  std::set<std::size_t> used_libraries_;             // of torch, by the call that makes them
};

}  // namespace

void read_text_host(const Source& file, HostLanguage language, unsigned lines_before, Host& host) {
  Reader(file, language, lines_before, host).run();
}

}  // namespace msci::host
