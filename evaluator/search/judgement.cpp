#include "evaluator/search/judgement.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace msci::search {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_diagnostics = 20;  // that a prompt quotes

// Fields that are absent or null are none.
template <typename T>
std::optional<T> optional_at(const Json& json, const char* field) {
  const auto found = json.find(field);
  if (found == json.end() || found->is_null()) return std::nullopt;
  return found->get<T>();
}

std::string text_at(const Json& json, const char* field) {
  return optional_at<std::string>(json, field).value_or("");
}

double error_value_of(const Json& size) {
  if (const auto value = optional_at<double>(size, "error_value")) return *value;
  const auto text = text_at(size, "error_text");
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  if (text == "Infinity") return infinity;
  return text == "-Infinity" ? -infinity : std::numeric_limits<double>::quiet_NaN();
}

std::optional<SizeResult::Speed> speed_of(const Json& size) {
  const auto seconds = optional_at<double>(size, "gpu_seconds");
  if (!seconds) return std::nullopt;
  return SizeResult::Speed{*seconds, size.at("achieved").get<double>(),
                           size.at("ceiling").get<double>(),
                           size.at("fraction_of_ceiling").get<double>()};
}

SizeResult size_from(const Json& size) {
  return {.label = size.at("label").get<std::string>(),
          .correct = size.at("correct").get<bool>(),
          .error_kind = text_at(size, "error_kind"),
          .error_value = error_value_of(size),
          .tolerance = optional_at<double>(size, "tolerance"),
          .message = text_at(size, "message"),
          .speed = speed_of(size),
          .achieved_unit = text_at(size, "achieved_unit"),
          .ceiling_unit = text_at(size, "ceiling_unit")};
}

std::string diagnostic_from(const Json& json) {
  return fmt::format("{}:{}: {}: {} [{}]", json.at("line").get<unsigned>(),
                     json.at("column").get<unsigned>(), text_at(json, "severity"),
                     text_at(json, "message"), text_at(json, "id"));
}

PairedTimes pairs_from(const Json& json) {
  return {.label = json.at("label").get<std::string>(),
          .candidate = json.at("candidate").get<std::vector<double>>(),
          .rival = json.at("rival").get<std::vector<double>>()};
}

template <typename T>
std::vector<T> list_at(const Json& json, const char* field, T (*read)(const Json&)) {
  std::vector<T> list;
  const auto found = json.find(field);
  if (found == json.end() || found->is_null()) return list;
  for (const auto& each : *found) list.push_back(read(each));
  return list;
}

// The times in turns with a rival; none where there was none.
std::vector<PairedTimes> versus_of(const Json& json) {
  const auto versus = json.find("versus");
  if (versus == json.end() || versus->is_null()) return {};
  return list_at(*versus, "sizes", pairs_from);
}

Judgement from(const Json& json) {
  Judgement judgement{.device = text_at(json, "device"),
                      .compile_ok = optional_at<bool>(json, "compile_ok").value_or(false),
                      .correct = optional_at<bool>(json, "correct").value_or(false),
                      .score = optional_at<double>(json, "score"),
                      .fail_reason = optional_at<std::string>(json, "fail_reason"),
                      .sizes = list_at(json, "sizes", size_from),
                      .diagnostics = list_at(json, "diagnostics", diagnostic_from),
                      .pairs = versus_of(json),
                      .seconds = optional_at<double>(json, "elapsed_s").value_or(0)};
  if (const auto error = optional_at<std::string>(json, "error")) {
    judgement.checked = false;
    judgement.fail_reason = "could not be checked: " + *error;
  }
  return judgement;
}

std::string line_of(const SizeResult& size) {
  if (!size.message.empty())
    return fmt::format("{:>16}  INCORRECT ({})\n", size.label, size.message);
  if (!size.correct)
    return fmt::format("{:>16}  INCORRECT ({}={:.3e}, tolerance {})\n", size.label, size.error_kind,
                       size.error_value,
                       size.tolerance ? fmt::format("{:.3e}", *size.tolerance) : "n/a");
  if (!size.speed) return fmt::format("{:>16}  correct\n", size.label);
  return fmt::format("{:>16}  correct, {:.2f} ms, {:.1f} {} ({:.1f}% of {:.0f} {})\n", size.label,
                     size.speed->seconds * 1e3, size.speed->achieved, size.achieved_unit,
                     size.speed->fraction * 100, size.speed->ceiling, size.ceiling_unit);
}

std::string quoted(const std::vector<std::string>& diagnostics) {
  std::string text;
  for (std::size_t i = 0; i < std::min(diagnostics.size(), most_diagnostics); ++i)
    text += "  " + diagnostics[i] + "\n";
  if (diagnostics.size() > most_diagnostics)
    text += fmt::format("  and {} more\n", diagnostics.size() - most_diagnostics);
  return text;
}

}  // namespace

Result<Judgement> read_judgement(std::string_view json) {
  try {
    const auto parsed = Json::parse(json);
    if (!parsed.is_object()) return Error{"this is no judgement of msci-eval's: no JSON object"};
    return from(parsed);
  } catch (const Json::exception& broken) {
    return Error{fmt::format("this is no judgement of msci-eval's: {}", broken.what())};
  }
}

Result<std::string> with_seconds(std::string_view json, double seconds) {
  auto parsed = Json::parse(json, nullptr, false);
  if (!parsed.is_object()) return Error{"this is no judgement of msci-eval's: no JSON object"};
  parsed["elapsed_s"] = seconds;
  return parsed.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string refusal(std::string_view reason) {
  const Json json = {
      {"compile_ok", false},    {"correct", false},
      {"score", nullptr},       {"fail_reason", fmt::format("compile error: {}", reason)},
      {"sizes", Json::array()}, {"diagnostics", Json::array()}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_text(const Judgement& judgement) {
  std::string text;
  for (const auto& size : judgement.sizes) text += line_of(size);
  if (judgement.score) text += fmt::format("score {:.4f}\n", *judgement.score);
  if (judgement.fail_reason) text += *judgement.fail_reason + "\n";
  if (!judgement.diagnostics.empty() && !judgement.score)
    text += "what the linter says, as LINE:COLUMN:\n" + quoted(judgement.diagnostics);
  return text;
}

}  // namespace msci::search
