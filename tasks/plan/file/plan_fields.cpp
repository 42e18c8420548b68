#include "tasks/plan/file/plan_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"

namespace msci {

Result<OrderedJson> parse_plan(const Source& source) {
  auto plan = parse_json<OrderedJson>(source.text, {.allow_comments = true});
  if (!plan)
    return Error{fmt::format("{}: {}; see docs/reference/plan_file.md for an example", source.name,
                             plan.error().message)};
  return plan;
}

std::string hint(std::string_view wrong, std::span<const std::string_view> words,
                 std::string_view introduction) {
  const auto near = nearest(wrong, words);
  return near.empty() ? fmt::format("; {} {}", introduction, fmt::join(words, ", "))
                      : did_you_mean(near);
}

void PlanFieldReader::report_error(const Field& field, const std::string& why) {
  if (!error_)
    error_ =
        Error{fmt::format("{}: {}: {}", file_, field.pointer.empty() ? "/" : field.pointer, why)};
}

Field PlanFieldReader::member(const Field& field, const std::string& key) {
  static const OrderedJson nothing;
  if (field.has(key)) return {&field.json->at(key), field.pointer + "/" + key};
  report_error(field, fmt::format("\"{}\" is missing", key));
  return {&nothing, field.pointer + "/" + key};
}

std::optional<Field> PlanFieldReader::optional_member(const Field& field, const std::string& key) {
  if (!field.has(key)) return std::nullopt;
  return member(field, key);
}

std::vector<std::pair<std::string, Field>> PlanFieldReader::members(const Field& field) {
  std::vector<std::pair<std::string, Field>> all;
  for (const auto& [key, value] : field.json->items())
    all.push_back({key, {&value, field.pointer + "/" + key}});
  return all;
}

std::vector<Field> PlanFieldReader::elements(const Field& field, std::string_view what) {
  std::vector<Field> all;
  if (!field.json->is_array()) {
    report_error(field, fmt::format("it must be {}, [...]", what));
    return all;
  }
  for (std::size_t i = 0; i < field.json->size(); ++i)
    all.push_back({&field.json->at(i), fmt::format("{}/{}", field.pointer, i)});
  return all;
}

std::string PlanFieldReader::text(const Field& field, std::string_view what) {
  if (field.json->is_string()) return field.json->get<std::string>();
  report_error(field, fmt::format("it must be {}, in quotes", what));
  return {};
}

double PlanFieldReader::real(const Field& field) {
  if (field.json->is_number()) return field.json->get<double>();
  report_error(field, "it must be a number");
  return 0;
}

void PlanFieldReader::check_keys(const Field& field, const std::vector<std::string>& keys) {
  if (!field.json->is_object()) return report_error(field, "it must be an object, {...}");
  const std::vector<std::string_view> known(keys.begin(), keys.end());
  for (const auto& [key, value] : field.json->items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      report_error({&value, field.pointer + "/" + key},
                   "unknown field" + hint(key, known, "the fields here are"));
}

void PlanFieldReader::check_alone(const Field& field, const std::string& key,
                                  const std::vector<std::string>& others) {
  if (!field.has(key)) return;
  for (const auto& other : others)
    if (field.has(other))
      report_error(member(field, other),
                   fmt::format("\"{}\" is given, too; remove one of the two", key));
}

}  // namespace msci
