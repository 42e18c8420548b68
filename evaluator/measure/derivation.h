// The strict tolerances of a task, and the errors of its seed kernel that they follow from
// (docs/strict_verdict.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace msci {

// The origin of a task's strict tolerances.
struct Derivation {
  struct OfSize {
    std::string label;
    std::vector<double> errors;  // the seed kernel's, for the nonces 1, 2, 3, ...
    double tolerance = 0;        // the largest of them times the factor
    bool operator==(const OfSize&) const = default;
  };
  // A declared size with the recorded inputs, judged by the recorded verdict's measure.
  struct OfRecorded {
    std::string label;
    double error = 0;  // the seed kernel's
    bool operator==(const OfRecorded&) const = default;
  };
  std::string device;  // where the seed ran
  double factor = 0;
  std::vector<OfSize> sizes;
  // Declared sizes with random inputs and all steps, where timed passes have such inputs.
  std::vector<OfSize> whole = {};
  std::vector<OfRecorded> recorded = {};  // none for a task whose recorded verdict is statistical

  std::optional<double> tolerance_of(std::string_view size_label) const;
  // At random sizes, which are larger; with as many steps as declared sizes or with few.
  double tolerance_elsewhere(bool has_all_steps = false) const;
  // At a declared size with random inputs and all steps.
  std::optional<double> whole_tolerance(std::string_view size_label) const;
  // The largest error at a declared size that rounding explains; `recorded`: the recorded
  // tolerance, of which a thousandth is always allowed.
  std::optional<double> recorded_tolerance(std::string_view label, double recorded) const;
  bool operator==(const Derivation&) const = default;
};

// Pretty JSON that ends in a line break; same derivation, same bytes.
std::string to_json(const Derivation& derivation);
// Errors: no such JSON.
Result<Derivation> derivation_from(std::string_view json);

}  // namespace msci
