#include "evaluator/plan/plan_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace msci {

Result<PlanJson> parse_plan(const Source& source) {
  try {
    return PlanJson::parse(source.text, nullptr, true, /*ignore_comments=*/true);
  } catch (const PlanJson::parse_error& broken) {
    const auto before = std::string_view(source.text).substr(0, broken.byte);
    return Error{fmt::format("{}:{}: invalid JSON; see docs/plan_file.md for an example",
                             source.name, 1 + std::count(before.begin(), before.end(), '\n'))};
  } catch (const PlanJson::out_of_range& broken) {
    return Error{fmt::format("{}: a number is too large; see docs/plan_file.md", source.name)};
  }
}

void FieldReader::report_error(const Field& field, const std::string& why) {
  if (!error_)
    error_ =
        Error{fmt::format("{}: {}: {}", file_, field.pointer.empty() ? "/" : field.pointer, why)};
}

Field FieldReader::member(const Field& field, const std::string& key) {
  static const PlanJson nothing;
  if (field.has(key)) return {&field.json->at(key), field.pointer + "/" + key};
  report_error(field, fmt::format("\"{}\" is missing", key));
  return {&nothing, field.pointer + "/" + key};
}

std::optional<Field> FieldReader::optional_member(const Field& field, const std::string& key) {
  if (!field.has(key)) return std::nullopt;
  return member(field, key);
}

std::vector<std::pair<std::string, Field>> FieldReader::members(const Field& field) {
  std::vector<std::pair<std::string, Field>> all;
  for (const auto& [key, value] : field.json->items())
    all.push_back({key, {&value, field.pointer + "/" + key}});
  return all;
}

std::vector<Field> FieldReader::elements(const Field& field, std::string_view what) {
  std::vector<Field> all;
  if (!field.json->is_array()) {
    report_error(field, fmt::format("it must be {}, [...]", what));
    return all;
  }
  for (std::size_t i = 0; i < field.json->size(); ++i)
    all.push_back({&field.json->at(i), fmt::format("{}/{}", field.pointer, i)});
  return all;
}

std::string FieldReader::text(const Field& field, std::string_view what) {
  if (field.json->is_string()) return field.json->get<std::string>();
  report_error(field, fmt::format("it must be {}, in quotes", what));
  return {};
}

double FieldReader::real(const Field& field) {
  if (field.json->is_number()) return field.json->get<double>();
  report_error(field, "it must be a number");
  return 0;
}

void FieldReader::check_keys(const Field& field, const std::vector<std::string>& keys) {
  if (!field.json->is_object()) return report_error(field, "it must be an object, {...}");
  for (const auto& [key, value] : field.json->items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      report_error({&value, field.pointer + "/" + key},
                   fmt::format("unknown field; the fields here are {}", fmt::join(keys, ", ")));
}

void FieldReader::check_alone(const Field& field, const std::string& key,
                              const std::vector<std::string>& others) {
  if (!field.has(key)) return;
  for (const auto& other : others)
    if (field.has(other))
      report_error(member(field, other),
                   fmt::format("\"{}\" is given, too; remove one of the two", key));
}

}  // namespace msci
