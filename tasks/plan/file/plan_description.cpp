#include "tasks/plan/file/plan_description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/files/read_file.h"
#include "base/text.h"

namespace msci {
namespace {

// Reads the fields of one plan file into a description.
class DescriptionReader {
 public:
  DescriptionReader(PlanFieldReader& fields, const PlanDocument& document)
      : fields_(fields),
        document_(document),
        root_(document.root()),
        read_{.name = default_name(document.file)} {}

  PlanDescription read() {
    fields_.check_keys(
        root_,
        {"name",      "title",    "seed",      "page",     "sizes",     "held_out", "small",
         "buffers",   "textures", "samplers",  "launches", "repeat",    "swap",     "expect",
         "reference", "check",    "tolerance", "work",     "constants", "stress",   "$schema"});
    if (!fields_.failed()) read_texts();
    if (!fields_.failed()) read_sizes();
    if (!fields_.failed()) read_constants();
    if (!fields_.failed()) read_tolerance();
    if (!fields_.failed()) read_work();
    if (!fields_.failed()) read_stress();
    return std::move(read_);
  }

 private:
  // ---- texts

  void read_texts() {
    if (const auto name = fields_.optional_member(root_, "name")) {
      read_.name = fields_.text(*name, "the task's name");
      if (!is_task_name(read_.name))
        fields_.report_error(*name, "a name has up to 64 letters, digits, '_' and '-'");
    }
    if (const auto title = fields_.optional_member(root_, "title"))
      read_.title = fields_.text(*title, "a line");
    read_.seed = text_of_file("seed", "the file of a kernel");
    read_.page = text_of_file("page", "the file of a description in Markdown");
  }

  static bool is_of_a_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  }

  static bool is_task_name(std::string_view name) {
    return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, is_of_a_name);
  }

  // As MSCI_TASK_PATH has it: that of NAME.json or NAME/plan.json.
  static std::string default_name(const std::filesystem::path& file) {
    std::error_code problem;
    const auto whole = std::filesystem::absolute(file, problem).lexically_normal();
    const auto named = file.stem() == "plan" ? whole.parent_path() : file;
    auto name = (file.stem() == "plan" ? named.filename() : named.stem()).string().substr(0, 64);
    std::ranges::replace_if(name, [](char c) { return !is_of_a_name(c); }, '_');
    return name.empty() ? "plan" : name;
  }

  std::string text_of_file(const std::string& key, std::string_view what) {
    const auto field = fields_.optional_member(root_, key);
    return field ? contents_of(*field, what) : std::string();
  }

  std::string contents_of(const Field& field, std::string_view what) {
    const auto name = fields_.text(field, what);
    if (fields_.failed()) return {};
    const auto source = read_source((document_.folder() / name).string());
    if (!source) fields_.report_error(field, source.error().message);
    return source ? source->text : std::string();
  }

  // ---- sizes

  void read_sizes() {
    const auto sizes = fields_.member(root_, "sizes");
    for (const auto& each : fields_.elements(sizes, "a list of sizes")) {
      read_.sizes.push_back(read_size(each));
      check_label(each, read_.sizes);
    }
    if (read_.sizes.empty()) fields_.report_error(sizes, "there must be at least one size");
    if (fields_.failed()) return;
    if (const auto held_out = fields_.optional_member(root_, "held_out")) {
      read_.held_out = read_size(*held_out);
      auto all = read_.sizes;
      all.push_back(*read_.held_out);
      check_label(*held_out, all);
    }
    const auto small = fields_.optional_member(root_, "small");
    read_.small = small ? read_size(*small) : read_.sizes.front();
  }

  // Results name a size by its label, so that of the last one must be new.
  void check_label(const Field& field, const std::vector<Size>& sizes) {
    const auto& label = sizes.back().label;
    if (!fields_.failed() && std::ranges::count(sizes, label, &Size::label) > 1)
      fields_.report_error(
          fields_.member(field, "label"),
          fmt::format("another size has the label \"{}\", too; give each its own", label));
  }

  std::string_view keep(const std::string& name) { return read_.parameters.emplace_back(name); }

  Size read_size(const Field& field) {
    Size size{.label = fields_.text(fields_.member(field, "label"), "the size's name")};
    if (size.label != printable(size.label))
      fields_.report_error(fields_.member(field, "label"),
                           "it must not have control characters, which a terminal would obey");
    if (fields_.failed()) return size;
    for (const auto& [key, parameter] : PlanFieldReader::members(field)) {
      if (key == "label") continue;
      const auto& value = *parameter.json;
      if (value.is_number_unsigned() && value.get<std::uint64_t>() <= UINT32_MAX)
        size.parameters.emplace_back(keep(key), value.get<unsigned>());
      else
        fields_.report_error(parameter, "a parameter is an integer from 0 to 4294967295");
    }
    // Inputs and results are kept by the label.
    for (const auto& other : known_)
      if (other.label == size.label && other.parameters != size.parameters)
        fields_.report_error(
            field,
            fmt::format("another size with the label \"{}\" has other parameters", size.label));
    known_.push_back(size);
    return size;
  }

  // ---- function constants

  void read_constants() {
    const auto field = fields_.optional_member(root_, "constants");
    if (!field) return;
    if (!field->json->is_object())
      fields_.report_error(*field, "it must be an object like {\"width\": 3}");
    for (const auto& [name, value] : PlanFieldReader::members(*field)) {
      const bool is_vector =
          value.json->is_array() && value.json->size() >= 2 && value.json->size() <= 4 &&
          std::all_of(value.json->begin(), value.json->end(), [](const auto& element) {
            return element.is_boolean() || element.is_number();
          });
      if (!value.json->is_boolean() && !value.json->is_number() && !is_vector)
        fields_.report_error(
            value, "a function constant is true, false, a number, or 2 to 4 of them in a list");
      if (fields_.failed()) return;
      read_.constants[name] = value.json->dump();
    }
  }

  // ---- tolerance and work

  double read_magnitude(const Field& field) {
    const auto number = fields_.real(field);
    if (number < 0) fields_.report_error(field, "it must not be negative");
    return number;
  }

  void read_tolerance() {
    const auto field = fields_.optional_member(root_, "tolerance");
    if (!field) return;
    fields_.check_keys(*field, {"max_abs", "relative"});
    const auto part = [&](const std::string& key) {
      const auto value = fields_.optional_member(*field, key);
      return value ? read_magnitude(*value) : 0;
    };
    read_.tolerance = {.max_abs = part("max_abs"), .relative = part("relative"), .exact = false};
  }

  void read_work() {
    const auto field = fields_.optional_member(root_, "work");
    if (!field) return;
    fields_.check_keys(*field, {"bytes", "flops", "operations", "ceiling"});
    fields_.check_alone(*field, "flops", {"bytes"});
    fields_.check_alone(*field, "operations", {"bytes", "flops"});
    if (fields_.failed()) return;
    const auto* key = field->has("flops")        ? "flops"
                      : field->has("operations") ? "operations"
                                                 : "bytes";
    read_.ceiling = field->has("bytes") ? Ceiling::bandwidth : Ceiling::compute;
    read_.unit = field->has("flops") ? "GFLOPS" : field->has("operations") ? "GOPS" : "GB/s";
    if (const auto ceiling = fields_.optional_member(*field, "ceiling")) {
      read_.best_rate = fields_.real(*ceiling);
      if (*read_.best_rate <= 0) fields_.report_error(*ceiling, "it must be positive");
    } else if (field->has("operations")) {
      fields_.report_error(*field,
                           "\"ceiling\" is missing: msci measures bytes and flops, and not how "
                           "many 1e9 operations a second the device can do");
    }
    const auto amount = fields_.member(*field, key);
    auto sizes = read_.sizes;
    if (read_.held_out) sizes.push_back(*read_.held_out);
    sizes.push_back(read_.small);
    for (const auto& size : sizes) {
      const auto work = read_number(fields_, amount, size);
      if (work == 0)
        fields_.report_error(amount,
                             fmt::format("it is 0 at size {}; it must be positive", size.label));
      if (fields_.failed()) return;
      read_.work[size.label] = static_cast<double>(work);
    }
  }

  // ---- the strict verdict

  void read_stress() {
    const auto field = fields_.optional_member(root_, "stress");
    if (!field) return;
    fields_.check_keys(*field, {"sizes", "random", "steps", "tolerance", "derivation"});
    fields_.check_alone(*field, "derivation", {"tolerance"});
    if (fields_.failed()) return;
    PlanStress stress;
    const auto sizes = fields_.member(*field, "sizes");
    for (const auto& each : fields_.elements(sizes, "a list of sizes")) {
      stress.sizes.push_back(read_size(each));
      check_label(each, stress.sizes);
    }
    if (stress.sizes.empty()) fields_.report_error(sizes, "there must be at least one size");
    if (!has_keyed_input() && !fields_.failed())
      fields_.report_error(
          *field,
          "no buffer or texture has a \"uniform\" fill, so the strict verdict would have the "
          "same inputs each time");
    check_results(*field);
    if (fields_.failed()) return;
    if (const auto random = fields_.optional_member(*field, "random")) read_ranges(*random, stress);
    if (const auto steps = fields_.optional_member(*field, "steps")) {
      stress.steps = fields_.text(*steps, "the name of a parameter");
      check_parameter(*steps, stress.steps, stress.sizes.front());
    }
    read_derivation(*field, stress);
    read_.stress = std::move(stress);
  }

  void check_parameter(const Field& field, const std::string& name, const Size& size) {
    std::vector<std::string_view> known;
    for (const auto& [parameter, value] : size.parameters) known.push_back(parameter);
    if (!fields_.failed() && std::ranges::count(known, name) == 0)
      fields_.report_error(field, fmt::format("size {} has no parameter '{}', but {}", size.label,
                                              name, fmt::join(known, ", ")));
  }

  bool has_keyed_input() {
    const auto is_keyed = [](const OrderedJson& each) {
      return each.is_object() && each.contains("fill") && each["fill"].is_object() &&
             each["fill"].contains("uniform");
    };
    for (const auto* key : {"buffers", "textures"})
      if (const auto all = fields_.optional_member(root_, key); all && all->json->is_object()) {
        if (std::ranges::any_of(*all->json, is_keyed)) return true;
        // An unknown kind of fill, such as "normal", is the better reason.
        for (const auto& [name, data] : PlanFieldReader::members(*all))
          if (const auto fill =
                  data.json->is_object() ? fields_.optional_member(data, "fill") : std::nullopt;
              fill && fill->json->is_object())
            fields_.check_keys(*fill, {"constant", "iota", "uniform", "seed"});
      }
    return false;
  }

  // Files hold results for the recorded inputs only.
  void check_results(const Field& field) {
    const auto expect = fields_.member(root_, "expect");
    for (const auto& [name, result] : PlanFieldReader::members(expect))
      if (result.has("file"))
        fields_.report_error(field, fmt::format("the expected '{}' is a file; random inputs need a "
                                                "\"reference\" or a \"check\"",
                                                name));
  }

  void read_ranges(const Field& field, PlanStress& stress) {
    if (!field.json->is_object() || field.json->empty())
      fields_.report_error(field, "it must be an object like {\"n\": [2, 1000]}");
    const auto& known = stress.sizes.front().parameters;
    for (const auto& [name, ends] : PlanFieldReader::members(field)) {
      const auto same =
          std::ranges::find_if(known, [&](const auto& each) { return each.first == name; });
      if (same == known.end())
        fields_.report_error(
            ends, fmt::format("size {} has no parameter '{}'", stress.sizes.front().label, name));
      const auto both = fields_.elements(ends, "[least, most]");
      if (both.size() != 2) fields_.report_error(ends, "it must be [least, most]");
      if (fields_.failed()) return;
      const auto low = read_unsigned(fields_, both[0], Size{});
      const auto high = read_unsigned(fields_, both[1], Size{});
      if (low > high) fields_.report_error(ends, "the first number is larger than the second");
      stress.random.push_back({same->first, low, high});
    }
  }

  void read_derivation(const Field& field, PlanStress& stress) {
    if (const auto file = fields_.optional_member(field, "derivation")) {
      stress.derivation = contents_of(*file, "a file that msci-tasks derive wrote");
      return;
    }
    const auto given = fields_.optional_member(field, "tolerance");
    const double tolerance = given ? read_magnitude(*given) : 0;
    if (!given && !read_.tolerance.exact)
      fields_.report_error(field,
                           "\"tolerance\" is missing: the largest error over the largest expected "
                           "magnitude; or \"derivation\", a file that msci-tasks derive wrote");
    if (tolerance >= 1) fields_.report_error(*given, "it must be below 1");
    OrderedJson sizes = OrderedJson::array();
    for (const auto& size : stress.sizes)
      sizes.push_back(
          {{"label", size.label}, {"errors", OrderedJson::array()}, {"tolerance", tolerance}});
    stress.derivation = OrderedJson{{"device", ""},
                                    {"factor", 1},
                                    {"sizes", std::move(sizes)},
                                    {"recorded", OrderedJson::array()}}
                            .dump();
  }

  PlanFieldReader& fields_;
  const PlanDocument& document_;
  Field root_;
  std::vector<Size> known_;
  PlanDescription read_;
};

}  // namespace

PlanDescription read_description(PlanFieldReader& reader, const PlanDocument& document) {
  return DescriptionReader(reader, document).read();
}

Size random_size(const PlanStress& stress, KeyedRandom& draws) {
  auto size = stress.sizes.front();
  size.label.clear();
  for (const auto& range : stress.random)
    for (auto& [name, value] : size.parameters)
      if (name == range.parameter) value = draws.between(range.low, range.high);
  return size;
}

}  // namespace msci
