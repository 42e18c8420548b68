#include "evaluator/report/gate_record.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace msci {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 4> verdicts = {"generalises", "incorrect",
                                                      "silent-incorrect", "silent-regression"};

std::optional<Ratio> ratio_in(const Json& speedup) {
  if (speedup.is_null()) return std::nullopt;
  Ratio ratio{.median = speedup.at("estimate")};
  if (speedup.contains("low") && speedup.contains("high"))
    ratio.interval = ConfidenceInterval{speedup.at("low"), speedup.at("high")};
  return ratio;
}

}  // namespace

Result<GateRecord> read_gate(std::string_view text) {
  try {
    const auto json = Json::parse(text);
    GateRecord gate{.size = json.value("size", ""),
                    .verdict = json.at("verdict"),
                    .speed_up = ratio_in(json.value("speedup", Json())),
                    .same_program = json.value("same_program", false)};
    if (const auto iteration = json.find("iteration");
        iteration != json.end() && iteration->is_number_unsigned())
      gate.iteration = iteration->get<unsigned>();
    if (std::find(verdicts.begin(), verdicts.end(), gate.verdict) == verdicts.end())
      return Error{"\"" + gate.verdict + "\" is no verdict of the gate"};
    return gate;
  } catch (const Json::exception& broken) {
    return Error{broken.what()};
  }
}

}  // namespace msci
