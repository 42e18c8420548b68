#include "tasks/plan/file/plan_numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace msci {
namespace {

const std::pair<std::string, std::int64_t>* find_index(const NumberScope& scope,
                                                       std::string_view name) {
  const auto& indices = scope.indices;
  const auto found = std::find_if(indices.rbegin(), indices.rend(),
                                  [&](const auto& each) { return each.first == name; });
  return found == indices.rend() ? nullptr : &*found;
}

const unsigned* find_parameter(const Size& size, std::string_view name) {
  for (const auto& [parameter, value] : size.parameters)
    if (parameter == name) return &value;
  return nullptr;
}

Result<std::int64_t> value_of(const NumberScope& scope, std::string_view name) {
  if (const auto* value = find_parameter(scope.size, name)) return std::int64_t{*value};
  if (const auto* index = find_index(scope, name)) return index->second;
  std::vector<std::string_view> known;
  for (const auto& [parameter, value] : scope.size.parameters) known.push_back(parameter);
  for (const auto& [index, value] : scope.indices) known.push_back(index);
  return Error{fmt::format("'{}' is neither an integer nor a parameter of size {}, which has: {}",
                           name, scope.size.label,
                           known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")))};
}

}  // namespace

bool NumberScope::has(std::string_view name) const {
  return find_parameter(size, name) || find_index(*this, name);
}

std::int64_t read_integer(PlanFieldReader& reader, const Field& field, const NumberScope& scope) {
  const auto& json = *field.json;
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX) {
    reader.report_error(field, "the number is too large");
    return 0;
  }
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number_float() && std::abs(json.get<double>()) >= 0x1p63) {
    reader.report_error(field, "the number is too large");
    return 0;
  }
  if (!json.is_string()) {
    reader.report_error(field, "it must be an integer, or a formula like \"4*n + 1\"");
    return 0;
  }
  const auto value = evaluate_formula(json.get_ref<const std::string&>(),
                                      [&](std::string_view name) { return value_of(scope, name); });
  if (value) return *value;
  reader.report_error(field, value.error().message);
  return 0;
}

std::uint64_t read_number(PlanFieldReader& reader, const Field& field, const NumberScope& scope) {
  const auto value = read_integer(reader, field, scope);
  if (value < 0)
    reader.report_error(field, fmt::format("it is {} at size {}; it must not be negative", value,
                                           scope.size.label));
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
}

unsigned read_unsigned(PlanFieldReader& reader, const Field& field, const NumberScope& scope) {
  const auto value = read_number(reader, field, scope);
  if (value > UINT32_MAX)
    reader.report_error(field, fmt::format("{} is more than 4294967295", value));
  return static_cast<unsigned>(value);
}

std::pair<double, double> read_pair(PlanFieldReader& reader, const Field& field,
                                    std::string_view what) {
  const auto both = reader.elements(field, what);
  if (both.size() != 2) reader.report_error(field, fmt::format("it must be {}", what));
  if (reader.failed()) return {};
  return {reader.real(both[0]), reader.real(both[1])};
}

double IntegerRange::at(std::uint64_t step) const {
  const auto number = first + (last - first + 1) * static_cast<double>(step) * 0x1p-53;
  return std::min(std::floor(number), last);
}

IntegerRange integers_between(double low, double high) {
  return {std::ceil(low), std::ceil(high) - 1};
}

std::string replace_all(std::string text, std::string_view word, std::string_view by) {
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
  return text;
}

std::string substitute(std::string text, const Size& size) {
  text = replace_all(std::move(text), "{label}", size.label);
  for (const auto& [parameter, value] : size.parameters)
    text = replace_all(std::move(text), fmt::format("{{{}}}", parameter), std::to_string(value));
  return text;
}

}  // namespace msci
