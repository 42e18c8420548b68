#include "evaluator/plan/file/plan_numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace msci {
namespace {

const unsigned* find_parameter(const Size& size, std::string_view name) {
  for (const auto& [parameter, value] : size.parameters)
    if (parameter == name) return &value;
  return nullptr;
}

bool is_digits(std::string_view word) {
  return !word.empty() &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (auto end = text.find(at); end != std::string::npos; end = text.find(at, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// One integer or parameter.
std::uint64_t read_factor(PlanFieldReader& reader, const Field& field, std::string word,
                          const Size& size) {
  word.erase(std::remove(word.begin(), word.end(), ' '), word.end());
  if (const auto* value = find_parameter(size, word)) return *value;
  if (is_digits(word) && word.size() < 19) return std::stoull(word);
  std::vector<std::string_view> known;
  for (const auto& [parameter, value] : size.parameters) known.push_back(parameter);
  reader.report_error(
      field,
      fmt::format("'{}' is neither an integer nor a parameter of size {}, which has: {}", word,
                  size.label, known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  return 0;
}

}  // namespace

std::uint64_t read_number(PlanFieldReader& reader, const Field& field, const Size& size) {
  if (field.json->is_number_unsigned()) return field.json->get<std::uint64_t>();
  if (!field.json->is_string()) {
    reader.report_error(field,
                        "it must be a non-negative integer, or a sum of products like \"4*n + 1\"");
    return 0;
  }
  std::uint64_t sum = 0;
  for (const auto& product : split(field.json->get<std::string>(), '+')) {
    std::uint64_t value = 1;
    for (const auto& word : split(product, '*'))
      if (__builtin_mul_overflow(value, read_factor(reader, field, word, size), &value))
        reader.report_error(field, "the number is too large");
    if (__builtin_add_overflow(sum, value, &sum))
      reader.report_error(field, "the number is too large");
  }
  return sum;
}

unsigned read_unsigned(PlanFieldReader& reader, const Field& field, const Size& size) {
  const auto value = read_number(reader, field, size);
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

std::string substitute(std::string text, const Size& size, const std::string& folder) {
  const auto replace = [&](const std::string& word, const std::string& by) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
      text.replace(at, word.size(), by);
  };
  replace("{label}", size.label);
  if (!folder.empty()) replace("{folder}", folder);
  for (const auto& [parameter, value] : size.parameters)
    replace(fmt::format("{{{}}}", parameter), std::to_string(value));
  return text;
}

}  // namespace msci
