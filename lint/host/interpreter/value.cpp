#include "lint/host/interpreter/value.h"

#include <algorithm>
#include <array>
#include <utility>

namespace msci::host {
namespace {

// A value with more alternatives is unknown.
constexpr std::size_t most_alternatives = 24;

bool same(const Value& a, const Value& b) {
  return a.kind == b.kind && a.number == b.number && a.text == b.text && a.object == b.object &&
         a.variable == b.variable && a.code == b.code;
}

constexpr std::array<std::pair<std::string_view, std::size_t>, 40> sizes = {
    {{"char", 1},          {"bool", 1},         {"int8_t", 1},       {"uint8_t", 1},
     {"std::int8_t", 1},   {"std::uint8_t", 1}, {"cl_char", 1},      {"cl_uchar", 1},
     {"short", 2},         {"int16_t", 2},      {"uint16_t", 2},     {"std::uint16_t", 2},
     {"cl_half", 2},       {"__fp16", 2},       {"_Float16", 2},     {"unsigned short", 2},
     {"int", 4},           {"unsigned", 4},     {"unsigned int", 4}, {"float", 4},
     {"int32_t", 4},       {"uint32_t", 4},     {"std::int32_t", 4}, {"std::uint32_t", 4},
     {"cl_int", 4},        {"cl_uint", 4},      {"cl_float", 4},     {"uint", 4},
     {"double", 8},        {"int64_t", 8},      {"uint64_t", 8},     {"std::int64_t", 8},
     {"std::uint64_t", 8}, {"size_t", 8},       {"std::size_t", 8},  {"NSUInteger", 8},
     {"NSInteger", 8},     {"cl_double", 8},    {"cl_ulong", 8},     {"cl_mem", 8}}};

std::string_view without(std::string_view type, std::string_view word) {
  if (type.starts_with(word) && type.size() > word.size() && type[word.size()] == ' ')
    type.remove_prefix(word.size() + 1);
  return type;
}

}  // namespace

Value number_value(double number) {
  Value value;
  value.kind = Value::Kind::number;
  value.number = number;
  return value;
}

Value string_value(std::string text) {
  Value value;
  value.kind = Value::Kind::string;
  value.text = std::move(text);
  return value;
}

Value object_value(std::shared_ptr<Object> object, bool is_pointer) {
  Value value;
  value.kind = Value::Kind::object;
  value.object = std::move(object);
  value.is_pointer = is_pointer;
  return value;
}

Value closure_value(const Node& code, std::shared_ptr<Scope> scope) {
  Value value;
  value.kind = Value::Kind::closure;
  value.code = &code;
  value.scope = std::move(scope);
  return value;
}

Value pair_value(Value first, Value second) {
  auto pair = std::make_shared<Object>();
  pair->items = {std::move(first), std::move(second)};
  return object_value(std::move(pair));
}

bool is_arithmetic(std::string_view mark) {
  if (mark.ends_with('=')) mark.remove_suffix(1);
  return mark == "+" || mark == "-" || mark == "*" || mark == "/" || mark == "%";
}

std::vector<Value> alternatives(const Value& value) {
  return value.kind == Value::Kind::one_of ? value.choices : std::vector{value};
}

Value join(const Value& a, const Value& b) {
  Value all;
  all.kind = Value::Kind::one_of;
  for (const auto* side : {&a, &b})
    for (auto& each : alternatives(*side))
      if (std::none_of(all.choices.begin(), all.choices.end(),
                       [&](const Value& other) { return same(each, other); }))
        all.choices.push_back(each);
  if (all.choices.size() == 1) all = Value(all.choices.front());
  if (all.kind == Value::Kind::one_of && all.choices.size() > most_alternatives) all = {};
  all.loaded.insert(a.loaded.begin(), a.loaded.end());
  all.loaded.insert(b.loaded.begin(), b.loaded.end());
  all.computed = a.computed ? a.computed : b.computed;
  return all;
}

std::vector<std::shared_ptr<Object>> objects_of(const Value& value) {
  std::vector<std::shared_ptr<Object>> all;
  for (const auto& each : alternatives(value))
    if (each.kind == Value::Kind::object) all.push_back(each.object);
  return all;
}

bool holds(const Value& value, Value::Kind kind) {
  const auto all = alternatives(value);
  return std::any_of(all.begin(), all.end(), [&](const Value& each) { return each.kind == kind; });
}

std::optional<double> number_of(const Value& value) {
  if (value.kind != Value::Kind::number) return std::nullopt;
  return value.number;
}

std::optional<bool> truth_of(const Value& value) {
  std::optional<bool> truth;
  for (const auto& each : alternatives(value)) {
    if (each.kind != Value::Kind::number) return std::nullopt;
    if (truth && *truth != (each.number != 0)) return std::nullopt;
    truth = each.number != 0;
  }
  return truth;
}

std::string element_type(std::string_view type) {
  for (std::string_view word : {"static", "constexpr", "inline", "const", "struct"})
    type = without(type, word);
  if (const auto angle = type.find('<'); angle != std::string_view::npos) {
    const auto name = last_name(type.substr(0, angle));
    if (name == "vector" || name == "array" || name == "span" || name == "unique_ptr" ||
        name == "initializer_list" || name == "valarray") {
      auto inner = type.substr(angle + 1);
      inner = inner.substr(0, inner.find_last_of('>'));
      unsigned depth = 0;
      for (std::size_t i = 0; i < inner.size(); ++i) {
        if (inner[i] == '<') ++depth;
        if (inner[i] == '>') --depth;
        if (inner[i] == ',' && depth == 0) inner = inner.substr(0, i);
      }
      return element_type(inner);
    }
  }
  const auto end = type.find_first_of("*&[");
  type = type.substr(0, end);
  if (type.ends_with(" const")) type.remove_suffix(6);
  return std::string(type);
}

std::string last_name(std::string_view name) {
  if (const auto angle = name.find('<'); angle != std::string_view::npos && angle > 0) {
    const auto close = name.rfind('>');
    const auto rest = close == std::string_view::npos ? "" : name.substr(close + 1);
    if (!rest.starts_with("::")) name = name.substr(0, angle);
  }
  const auto colons = name.rfind("::");
  return std::string(colons == std::string_view::npos ? name : name.substr(colons + 2));
}

std::string field_name(std::string_view name) {
  while (name.starts_with('_')) name.remove_prefix(1);
  while (name.ends_with('_')) name.remove_suffix(1);
  if (name.starts_with("m_")) name.remove_prefix(2);
  return std::string(name);
}

std::optional<std::size_t> size_of_type(std::string_view type) {
  for (std::string_view word : {"static", "constexpr", "const", "volatile"})
    type = without(type, word);
  const auto found = std::find_if(sizes.begin(), sizes.end(),
                                  [&](const auto& each) { return each.first == type; });
  if (found == sizes.end()) return std::nullopt;
  return found->second;
}

}  // namespace msci::host
