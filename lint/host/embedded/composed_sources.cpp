#include "lint/host/embedded/composed_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>

#include "lint/host/readers/readers.h"

namespace msci {
namespace {

using host::CallArgument;
using host::HostLanguage;
using host::TextCall;
using host::Word;
using host::WordRange;

constexpr int deepest_name = 8;
constexpr std::size_t most_sources = 100;

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool is_identifier(std::string_view text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::ranges::all_of(text, is_part_of_name);
}

// Whether a text uses the name as a word.
bool uses(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    const bool begins = at == 0 || !is_part_of_name(text[at - 1]);
    if (begins && (end == text.size() || !is_part_of_name(text[end]))) return true;
  }
  return false;
}

// Whether a text takes elements of the array, or makes a pointer of it: `const device T* p = x +
// i`.
bool uses_as_pointer(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at > 0 && is_part_of_name(text[at - 1])) ||
        (end < text.size() && is_part_of_name(text[end])))
      continue;
    const auto next = text.find_first_not_of(" \t\r\n", end);
    if (next != text.npos && text[next] == '[') return true;
    const auto statement = text.find_last_of(";{}", at);
    const auto before = text.substr(statement + 1, at - statement - 1);
    const auto equals = before.find_last_not_of(" \t\r\n");
    if (equals != before.npos && before[equals] == '=' && uses(before, "device")) return true;
  }
  return false;
}

void append_text(ComposedText& whole, const ComposedText& part) {
  for (auto copied : part.copied) {
    copied.at += whole.text.size();
    whole.copied.push_back(copied);
  }
  whole.text += part.text;
}

// What mlx puts before the body of each kernel, in a few declarations of the same meaning.
constexpr std::string_view declarations_of_mlx = R"(#include <metal_stdlib>
using namespace metal;
typedef half float16_t;
#if __METAL_VERSION__ >= 310
typedef bfloat bfloat16_t;
#endif
template <typename I = int64_t>
METAL_FUNC I elem_to_loc(I element, constant const int* shape, constant const int64_t* strides,
                         int ndim) {
  I place = 0;
  for (int i = ndim - 1; i >= 0 && element > 0; --i) {
    place += (element % shape[i]) * I(strides[i]);
    element /= shape[i];
  }
  return place;
}
template <typename I = int64_t>
METAL_FUNC I elem_to_loc(uint element, constant const int* shape, constant const int64_t* strides,
                         int ndim) {
  return elem_to_loc<I>(I(element), shape, strides, ndim);
}
template <typename I = int64_t>
METAL_FUNC I elem_to_loc_1(uint element, constant const int64_t& stride) {
  return element * I(stride);
}
template <typename I = int64_t>
METAL_FUNC I elem_to_loc_2(uint2 element, constant const int64_t strides[2]) {
  return element.x * I(strides[1]) + element.y * I(strides[0]);
}
template <typename I = int64_t>
METAL_FUNC I elem_to_loc_3(uint3 element, constant const int64_t strides[3]) {
  return element.x * I(strides[2]) + element.y * I(strides[1]) + element.z * I(strides[0]);
}
template <typename T, typename U>
inline T ceildiv(T n, U m) { return (n + m - 1) / m; }
inline float log1p(float x) { return log(1 + x); }
template <typename U, typename T>
inline U cast_to(T value) { return U(value); }
template <typename U>
struct Limits {
  static constexpr constant U max = metal::numeric_limits<U>::max();
  static constexpr constant U min = metal::numeric_limits<U>::min();
  static constexpr constant U finite_max = metal::numeric_limits<U>::max();
  static constexpr constant U finite_min = metal::numeric_limits<U>::lowest();
};
)";

// Attributes of threads that mlx passes to the bodies that name them.
struct ThreadAttribute {
  std::string_view name;
  std::string_view type;
};
constexpr std::array<ThreadAttribute, 20> thread_attributes = {{
    {"dispatch_quadgroups_per_threadgroup", "uint"},
    {"dispatch_simdgroups_per_threadgroup", "uint"},
    {"dispatch_threads_per_threadgroup", "uint3"},
    {"grid_origin", "uint3"},
    {"grid_size", "uint3"},
    {"quadgroup_index_in_threadgroup", "uint"},
    {"quadgroups_per_threadgroup", "uint"},
    {"simdgroup_index_in_threadgroup", "uint"},
    {"simdgroups_per_threadgroup", "uint"},
    {"thread_execution_width", "uint"},
    {"thread_index_in_quadgroup", "uint"},
    {"thread_index_in_simdgroup", "uint"},
    {"thread_index_in_threadgroup", "uint"},
    {"thread_position_in_grid", "uint3"},
    {"thread_position_in_threadgroup", "uint3"},
    {"threadgroup_position_in_grid", "uint3"},
    {"threadgroups_per_grid", "uint3"},
    {"threads_per_grid", "uint3"},
    {"threads_per_simdgroup", "uint"},
    {"threads_per_threadgroup", "uint3"},
}};

// The type of Metal for one of mlx: "mx.float16".
std::string_view metal_type(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 13> types = {
      {{"float32", "float"},
       {"float16", "float16_t"},
       {"bfloat16", "bfloat16_t"},
       {"int8", "int8_t"},
       {"int16", "int16_t"},
       {"int32", "int32_t"},
       {"int64", "int64_t"},
       {"uint8", "uint8_t"},
       {"uint16", "uint16_t"},
       {"uint32", "uint32_t"},
       {"uint64", "uint64_t"},
       {"bool_", "bool"},
       {"bool", "bool"}}};
  for (const auto& [python, metal] : types)
    if (name == python) return metal;
  return "";
}

// The argument with the label, or the one at the position if it has none.
const CallArgument* passed(const TextCall& call, std::string_view label, std::size_t position) {
  const auto* found = call.argument(label, position);
  return found && (found->label.empty() || found->label == label) ? found : nullptr;
}

// An argument of a template. Its value is a type, a number, or unknown ("").
struct TemplateArgument {
  std::string name;
  bool is_type = true;
  std::string value;
};

// What a call of a kernel says.
struct KernelCall {
  std::vector<TemplateArgument> arguments;
  std::vector<std::string> output_types;  // "" for unknown ones
};

// A kernel, before the types of its arrays are chosen.
struct Kernel {
  std::string name;
  std::vector<std::string> inputs, outputs;
  bool has_atomic_outputs = false;
  ComposedText header, body;
  KernelCall call;
};

// One choice for what the file does not say: the type of arrays, and that of inputs whose elements
// the body does not take, if these are single values.
struct Choice {
  std::string_view type;
  std::string_view value;
};
constexpr std::array<Choice, 8> choices = {{{"float", ""},
                                            {"float", "float"},
                                            {"float", "int"},
                                            {"float16_t", ""},
                                            {"float16_t", "float"},
                                            {"float16_t", "int"},
                                            {"uint32_t", ""},
                                            {"int32_t", "int"}}};

class Composer {
 public:
  Composer(const Kernel& kernel, const Choice& choice) : kernel_(kernel), choice_(choice) {}

  ComposedText run() {
    ComposedText whole{.text = std::string(declarations_of_mlx)};
    append_text(whole, kernel_.header);
    whole.text += '\n';
    const auto& arguments = kernel_.call.arguments;
    const auto function = arguments.empty() ? kernel_.name : "custom_kernel_" + kernel_.name;
    if (!arguments.empty()) whole.text += fmt::format("template <{}>\n", parameters_of_template());
    whole.text += fmt::format("[[kernel]] void {}({}) {{\n", function, parameters());
    append_text(whole, kernel_.body);
    whole.text += "\n}\n";
    if (!arguments.empty()) {
      const auto instance = fmt::format("{}<{}>", function, values());
      whole.text += fmt::format("template [[host_name(\"{}\")]] [[kernel]] decltype({}) {};\n",
                                kernel_.name, instance, instance);
    }
    return whole;
  }

 private:
  std::string parameters_of_template() const {
    std::string list;
    for (const auto& [name, is_type, value] : kernel_.call.arguments) {
      const auto* kind = is_type                               ? "typename"
                         : value == "true" || value == "false" ? "bool"
                                                               : "int";
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", kind, name);
    }
    return list;
  }

  std::string values() const {
    std::string list;
    for (const auto& [name, is_type, value] : kernel_.call.arguments)
      list += fmt::format("{}{}", list.empty() ? "" : ", ",
                          !value.empty() ? std::string_view(value)
                          : is_type      ? choice_.type
                                         : "128");
    return list;
  }

  std::string parameters() {
    for (const auto& name : kernel_.inputs) add_input(name);
    for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) {
      const auto& types = kernel_.call.output_types;
      const auto type =
          i < types.size() && !types[i].empty() ? std::string_view(types[i]) : choice_.type;
      add_buffer(kernel_.has_atomic_outputs ? fmt::format("device atomic<{}>*", type)
                                            : fmt::format("device {}*", type),
                 kernel_.outputs[i]);
    }
    for (const auto& [name, type] : thread_attributes)
      if (uses(kernel_.body.text, name)) add(fmt::format("{0} {1} [[{1}]]", type, name));
    return list_;
  }

  void add_input(const std::string& name) {
    const auto& body = kernel_.body.text;
    const bool is_value = !choice_.value.empty() && !uses_as_pointer(body, name);
    add_buffer(is_value ? fmt::format("const constant {}&", choice_.value)
                        : fmt::format("const device {}*", choice_.type),
               name);
    if (uses(body, name + "_shape")) add_buffer("const constant int*", name + "_shape");
    if (uses(body, name + "_strides")) add_buffer("const constant int64_t*", name + "_strides");
    if (uses(body, name + "_ndim")) add_buffer("const constant int&", name + "_ndim");
  }

  void add_buffer(std::string_view type, std::string_view name) {
    add(fmt::format("{} {} [[buffer({})]]", type, name, buffers_++));
  }
  void add(const std::string& parameter) { list_ += (list_.empty() ? "" : ", ") + parameter; }

  const Kernel& kernel_;
  const Choice& choice_;
  std::string list_;
  unsigned buffers_ = 0;
};

class ComposedFinder {
 public:
  explicit ComposedFinder(std::string_view text)
      : text_(text),
        words_(host::words_in(text, HostLanguage::python)),
        calls_(words_, HostLanguage::python),
        variables_(calls_, HostLanguage::python),
        values_(calls_, variables_, HostLanguage::python) {}

  std::vector<ComposedSource> run() {
    std::vector<ComposedSource> all;
    for (const auto& call : calls_.all()) {
      if (all.size() == most_sources) break;
      if (call.name == "metal_kernel" && call.at > 0 && words_[call.at - 1].is("."))
        all.push_back(kernel_of(call));
      else if (call.name == "compile_shader")
        if (auto shader = shader_of(call)) all.push_back(*std::move(shader));
    }
    return all;
  }

 private:
  std::size_t begin_of(const Word& literal) const {
    return static_cast<std::size_t>(literal.body.data() - text_.data());
  }

  // Values.

  // The value of a range: that of the variable that it names, if it names one.
  WordRange value_of(WordRange range, int depth = 0) const {
    if (range.end != range.first + 1 || !words_[range.first].is_name() || depth > deepest_name)
      return range;
    const auto value = variables_.assigned_to(range.first);
    return value ? value_of(*value, depth + 1) : range;
  }

  // A text: literals in a row, sums of them, variables that hold one.
  std::optional<ComposedText> text_of(WordRange range, std::vector<std::size_t>& literals,
                                      int depth = 0) const {
    if (range.empty() || depth > deepest_name) return std::nullopt;
    if (const auto inside = inside_of(range)) return text_of(*inside, literals, depth + 1);
    ComposedText whole;
    for (auto at = range.first; at < range.end;) {
      std::optional<ComposedText> part;
      if (words_[at].is_string()) {
        part = text_of_literal(words_[at]);
        literals.push_back(begin_of(words_[at]));
      } else if (words_[at].is_name()) {
        const auto value = variables_.assigned_to(at);
        if (value) part = text_of(*value, literals, depth + 1);
      } else if (words_[at].is("+") && at > range.first && at + 1 < range.end) {
        ++at;
        continue;
      }
      if (!part) return std::nullopt;
      append_text(whole, *part);
      ++at;
    }
    return whole;
  }

  // The inside of parentheses, of textwrap.dedent(…), and before .strip().
  std::optional<WordRange> inside_of(WordRange range) const {
    if (words_[range.first].is("(") && calls_.match(range.first) + 1 == range.end)
      return WordRange{range.first + 1, range.end - 1};
    for (const auto& call : calls_.in(range)) {
      const bool is_whole = call.close + 1 == range.end;
      if (is_whole && call.name == "dedent" && call.arguments.size() == 1)
        return call.arguments[0].value;
      const bool strips = call.name == "strip" || call.name == "lstrip" || call.name == "rstrip";
      if (is_whole && strips && call.arguments.empty() && call.at > range.first + 1)
        return WordRange{range.first, call.at - 1};
    }
    return std::nullopt;
  }

  std::optional<ComposedText> text_of_literal(const Word& word) const {
    if (!word.is_closed) return std::nullopt;
    ComposedText whole;
    const auto body = word.body;
    const auto start = begin_of(word);
    const auto copy = [&](std::size_t from, std::size_t length) {
      auto& copied = whole.copied;
      const bool follows = !copied.empty() &&
                           copied.back().at + copied.back().length == whole.text.size() &&
                           copied.back().from + copied.back().length == start + from;
      if (follows)
        copied.back().length += length;
      else
        copied.push_back({whole.text.size(), start + from, length});
      whole.text += body.substr(from, length);
    };
    for (std::size_t at = 0; at < body.size();) {
      const char c = body[at];
      const char next = at + 1 < body.size() ? body[at + 1] : '\0';
      if (word.has_escapes && c == '\\') {
        constexpr std::string_view escapes = "ntr\\'\"", meanings = "\n\t\r\\'\"";
        const auto known = escapes.find(next);
        if (next == '\0' || (known == escapes.npos && next != '\n')) return std::nullopt;
        if (next != '\n') whole.text += meanings[known];
        at += 2;
      } else if (word.has_values && (c == '{' || c == '}') && next == c) {
        copy(at, 1);
        at += 2;
      } else if (word.has_values && c == '{') {
        const auto close = body.find('}', at);
        if (close == body.npos) return std::nullopt;
        const auto value = constant(body.substr(at + 1, close - at - 1));
        if (!value) return std::nullopt;
        whole.text += *value;
        at = close + 1;
      } else {
        copy(at, 1);
        ++at;
      }
    }
    return whole;
  }

  // The text of a name's value, if all of the file agrees in it.
  std::optional<std::string> constant(std::string_view name) const {
    if (!is_identifier(name)) return std::nullopt;
    std::optional<std::string> found;
    for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
      if (!words_[i].is_name() || words_[i].text != name || !words_[i + 1].is("=")) continue;
      if (calls_.is(i + 2, "=")) continue;
      if (variables_.variable_at(i + 1) != name) continue;
      const auto value = variables_.assigned_to(i);
      const auto text = value ? constant_in(*value) : std::nullopt;
      if (!text || (found && *found != *text)) return std::nullopt;
      found = text;
    }
    return found;
  }

  std::optional<std::string> constant_in(WordRange range) const {
    const auto value = value_of(range);
    const bool is_negative = words_[value.first].is("-");
    const auto first = value.first + (is_negative ? 1 : 0);
    if (first + 1 == value.end && words_[first].is_string() && !words_[first].has_values)
      return std::string(words_[first].body);
    if (first + 1 == value.end && words_[first].kind == Word::Kind::number)
      return (is_negative ? "-" : "") + std::string(words_[first].text);
    const auto number = values_.number(value);
    return number ? std::optional(std::to_string(*number)) : std::nullopt;
  }

  std::optional<std::vector<WordRange>> list_of(WordRange range) const {
    const auto value = value_of(range);
    const bool is_list = !value.empty() &&
                         (words_[value.first].is("[") || words_[value.first].is("(")) &&
                         calls_.match(value.first) + 1 == value.end;
    if (!is_list) return std::nullopt;
    std::vector<WordRange> items;
    for (const auto& part : calls_.parts({value.first + 1, value.end - 1}))
      items.push_back(part.value);
    return items;
  }

  std::optional<std::vector<std::string>> names_of(const CallArgument* argument) const {
    const auto items = argument ? list_of(argument->value) : std::nullopt;
    if (!items) return std::nullopt;
    std::vector<std::string> names;
    for (const auto& item : *items) {
      const auto value = value_of(item);
      if (value.end != value.first + 1 || !words_[value.first].is_string() ||
          !is_identifier(words_[value.first].body))
        return std::nullopt;
      names.emplace_back(words_[value.first].body);
    }
    return names;
  }

  bool is_true(const CallArgument* argument) const {
    return argument && words_[argument->value.first].is("True");
  }

  // Kernels of mlx.

  ComposedSource kernel_of(const TextCall& call) {
    ComposedSource source{.call = words_[call.at].offset};
    Kernel kernel;
    source.unknown = read(call, kernel, source.literals);
    if (!source.unknown.empty()) return source;
    source.kernel = kernel.name;
    const auto calls = calls_of(call);
    if (calls.empty() && lacks_template_)
      source.unknown = "its template arguments are not in this file";
    source.knows_template = !calls.empty();
    if (!calls.empty()) kernel.call = calls.front();
    for (const auto& choice : choices) source.texts.push_back(Composer(kernel, choice).run());
    if (!source.unknown.empty()) source.texts.clear();
    return source;
  }

  // Why the kernel is not known; empty if it is.
  std::string read(const TextCall& call, Kernel& kernel, std::vector<std::size_t>& literals) const {
    const auto* body = passed(call, "source", 3);
    const auto text = body ? text_of(body->value, literals) : std::nullopt;
    if (!text)
      return "its body is not a literal of this file, or has values that are not constants";
    kernel.body = *text;
    if (const auto* header = passed(call, "header", 4)) {
      const auto before = text_of(header->value, literals);
      if (!before) return "its header is not a literal of this file";
      kernel.header = *before;
    }
    const auto inputs = names_of(passed(call, "input_names", 1));
    const auto outputs = names_of(passed(call, "output_names", 2));
    if (!inputs || !outputs) return "the names of its arrays are not literals of this file";
    kernel.inputs = *inputs;
    kernel.outputs = *outputs;
    kernel.has_atomic_outputs = is_true(passed(call, "atomic_outputs", 6));
    std::vector<std::size_t> ignored;
    const auto* name = passed(call, "name", 0);
    const auto named = name ? text_of(name->value, ignored) : std::nullopt;
    kernel.name = named && is_identifier(named->text) ? named->text : "custom_kernel";
    return "";
  }

  // What the calls of the kernel's variable say of its template. The call that makes the kernel may
  // be returned by a function, whose callers are not looked for.
  std::vector<KernelCall> calls_of(const TextCall& made) {
    std::vector<KernelCall> all;
    lacks_template_ = false;
    const auto variable = variable_that_holds(made);
    for (const auto& call : calls_.all()) {
      const auto* arguments = call.argument("template", 1);
      const bool has_label = arguments && arguments->label == "template";
      const bool is_kernels = !variable.empty() && call.name == variable;
      const bool is_only = variable.empty() && call.argument("inputs", 99) != nullptr;
      if (!is_kernels && !is_only) continue;
      KernelCall said;
      if (has_label && !read_template(arguments->value, said)) {
        lacks_template_ = true;
        continue;
      }
      read_output_types(call, said);
      all.push_back(std::move(said));
    }
    return all;
  }

  std::string_view variable_that_holds(const TextCall& made) const {
    auto at = made.at;
    while (at > 0 && !words_[at].is("=") && made.at - at < 8 && !words_[at].starts_line) --at;
    return words_[at].is("=") ? variables_.variable_at(at) : std::string_view();
  }

  bool read_template(WordRange range, KernelCall& said) const {
    const auto items = list_of(range);
    if (!items) return false;
    for (const auto& item : *items) {
      const auto pair = list_of(item);
      if (!pair || pair->size() != 2) return false;
      const auto& [name, value] = std::pair((*pair)[0], (*pair)[1]);
      if (name.end != name.first + 1 || !words_[name.first].is_string()) return false;
      said.arguments.push_back(argument_of(std::string(words_[name.first].body), value));
    }
    return true;
  }

  TemplateArgument argument_of(std::string name, WordRange range) const {
    const auto value = value_of(range);
    const auto& last = words_[value.end - 1];
    if (last.is("True") || last.is("False"))
      return {std::move(name), false, last.is("True") ? "true" : "false"};
    if (const auto type = metal_type(last.text); !type.empty())
      return {std::move(name), true, std::string(type)};
    if (const auto number = constant_in(value)) return {std::move(name), false, *number};
    const bool is_type = last.text.find("dtype") != last.text.npos ||
                         (!name.empty() && name.size() <= 3 && name[0] == 'T') ||
                         name.ends_with("T");
    return {std::move(name), is_type, ""};
  }

  void read_output_types(const TextCall& call, KernelCall& said) const {
    const auto* types = call.argument("output_dtypes", 99);
    const auto items = types ? list_of(types->value) : std::nullopt;
    if (!items) return;
    for (const auto& item : *items) {
      const auto value = value_of(item);
      said.output_types.emplace_back(metal_type(words_[value.end - 1].text));
    }
  }

  // f-strings of torch.

  std::optional<ComposedSource> shader_of(const TextCall& call) const {
    const auto* argument = passed(call, "source", 0);
    if (!argument) return std::nullopt;
    ComposedSource source{.call = words_[call.at].offset};
    auto text = text_of(argument->value, source.literals);
    const auto has_values = std::ranges::any_of(words_, [&](const Word& word) {
      return word.is_string() && word.has_values &&
             std::ranges::find(source.literals, begin_of(word)) != source.literals.end();
    });
    // Other literals are read where they stand.
    if (!text || (!has_values && source.literals.size() < 2)) return std::nullopt;
    source.texts.push_back(*std::move(text));
    return source;
  }

  std::string_view text_;
  const std::vector<Word> words_;
  const host::Calls calls_;
  const host::Variables variables_;
  const host::Values values_;
  bool lacks_template_ = false;
};

}  // namespace

std::size_t ComposedText::place_of(std::size_t at, std::size_t otherwise) const {
  const auto after = std::ranges::upper_bound(copied, at, {}, &CopiedPart::at);
  if (after == copied.begin()) return otherwise;
  const auto& part = *std::prev(after);
  return at <= part.at + part.length ? part.from + (at - part.at) : otherwise;
}

bool ComposedText::is_copied(std::size_t at) const {
  constexpr auto nowhere = std::string::npos;
  return place_of(at, nowhere) != nowhere;
}

std::vector<ComposedSource> composed_sources(std::string_view text) {
  return may_compose_sources(text) ? ComposedFinder(text).run() : std::vector<ComposedSource>();
}

bool may_compose_sources(std::string_view text) {
  return text.find("metal_kernel(") != text.npos || text.find("compile_shader(") != text.npos;
}

Result<Source> metal_in(Result<Source> file) {
  if (!file || host::language_of(file->name) != HostLanguage::python) return file;
  auto all = composed_sources(file->text);
  std::erase_if(all, [](const ComposedSource& each) { return each.texts.empty(); });
  if (all.size() > 1)
    return Error{
        fmt::format("{} makes {} kernels; pass a file that makes one", file->name, all.size())};
  if (!all.empty()) file->text = std::move(all[0].texts[0].text);
  return file;
}

}  // namespace msci
