#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "evaluator/measure/timed_passes.h"

namespace msci {

std::optional<double> Derivation::tolerance_of(std::string_view size_label) const {
  for (const auto& size : sizes)
    if (size.label == size_label) return size.tolerance;
  return std::nullopt;
}

std::optional<double> Derivation::recorded_tolerance(std::string_view label,
                                                     double tolerance) const {
  for (const auto& size : recorded)
    if (size.label == label) return std::max(factor * size.error, tolerance / 1000);
  return std::nullopt;
}

double Derivation::tolerance_elsewhere(bool has_all_steps) const {
  constexpr double larger_sizes = 4;  // times more bodies, longer sums
  double largest = 0;
  for (const auto& size : sizes) largest = std::max(largest, size.tolerance);
  if (has_all_steps)
    for (const auto& size : whole) largest = std::max(largest, size.tolerance);
  return larger_sizes * largest;
}

double Derivation::whole_tolerance(std::string_view size_label) const {
  for (const auto& size : whole)
    if (size.label == size_label) return size.tolerance;
  return tolerance_elsewhere(true);
}

std::string to_json(const Derivation& derivation) {
  const auto array_of = [](const std::vector<Derivation::OfSize>& sizes) {
    OrderedJson array = OrderedJson::array();
    for (const auto& size : sizes)
      array.push_back({{"label", size.label},
                       {"nonces", size.errors.size()},
                       {"errors", size.errors},
                       {"tolerance", size.tolerance}});
    return array;
  };
  OrderedJson recorded = OrderedJson::array();
  for (const auto& size : derivation.recorded)
    recorded.push_back({{"label", size.label}, {"error", size.error}});
  const OrderedJson json = {{"device", derivation.device},
                            {"factor", derivation.factor},
                            {"sizes", array_of(derivation.sizes)},
                            {"whole", array_of(derivation.whole)},
                            {"recorded", std::move(recorded)}};
  return json.dump(2) + "\n";
}

Result<Derivation> derivation_from(std::string_view text) {
  const auto parsed = parse_json<OrderedJson>(text);
  if (!parsed) return Error{fmt::format("not a derivation: {}", parsed.error().message)};
  const auto& json = *parsed;
  const auto sizes_of = [](const OrderedJson& array) {
    std::vector<Derivation::OfSize> sizes;
    for (const auto& each : array)
      sizes.push_back({.label = each.at("label").get<std::string>(),
                       .errors = each.at("errors").get<std::vector<double>>(),
                       .tolerance = each.at("tolerance").get<double>()});
    return sizes;
  };
  try {
    Derivation derivation{.device = json.at("device").get<std::string>(),
                          .factor = json.at("factor").get<double>(),
                          .sizes = sizes_of(json.at("sizes"))};
    if (json.contains("whole")) derivation.whole = sizes_of(json.at("whole"));
    for (const auto& each : json.at("recorded"))
      derivation.recorded.push_back(
          {.label = each.at("label").get<std::string>(), .error = each.at("error").get<double>()});
    return derivation;
  } catch (const OrderedJson::exception& broken) {
    return Error{fmt::format("not a derivation: {}", broken.what())};
  }
}

}  // namespace msci
