// The result of the held-out gate: msci-eval --gate --json, and gate.json of a search.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "evaluator/measure/speedup.h"
#include "evaluator/result/outcome.h"
#include "evaluator/result/predicted_comparison.h"

namespace msci {

class Fields;

enum class GateVerdict {
  incorrect,         // refused, or wrong at a shown size: nothing about it is silent
  generalises,       // right, and no slower than the seed
  silent_incorrect,  // wrong, or it does not run
  // Right, and slower than the seed by more than least_gain beyond doubt. A prediction, which is
  // for another device, decides instead of the measurement, unless a kernel is unlike what was
  // measured there: it claims "slower".
  silent_regression,
};
// "silent-regression": the spelling in results.
std::string_view to_string(GateVerdict verdict);

// One of the two kernels at the held-out size; of an incorrect one, the result at the shown sizes.
struct GateSide {
  bool correct = false;
  std::optional<double> seconds = std::nullopt;   // none unless it is correct and was timed
  std::optional<double> fraction = std::nullopt;  // of the ceiling
  std::string fail_reason = {};                   // as fail_reason() has it; empty where correct
  bool operator==(const GateSide&) const = default;
};
GateSide gate_side(const Outcome& outcome);

struct GateResult {
  std::string task = {};
  std::string device = {};
  std::string size = {};  // the held-out size's label
  GateVerdict verdict = GateVerdict::silent_incorrect;
  std::optional<GateSide> seed =
      {};  // or its substitute, `rival`; none where the incumbent is incorrect
  GateSide incumbent = {};
  // Both translate to one program, and no comparison was run.
  bool same_program = false;
  // Over the seed; none for the same program, and where the incumbent is not right.
  std::optional<Ratio> speed_up = {};
  // Over the seed as well, for the chip that the kernel is written for; none without --predict.
  std::optional<PredictedComparison> predicted = {};
  std::optional<unsigned> iteration = {};  // of the incumbent in its search, which adds it
  std::string rival = "the seed";          // or the file that replaces it; not in the JSON
  bool operator==(const GateResult&) const = default;

  bool generalises() const { return verdict == GateVerdict::generalises; }
  // Whether the incumbent is right at the held-out size; none where a shown size is wrong already.
  std::optional<bool> is_right() const {
    if (verdict == GateVerdict::incorrect) return std::nullopt;
    return verdict != GateVerdict::silent_incorrect;
  }
};

std::string to_json(const GateResult& result);  // one line
std::string gate_schema();                      // the JSON schema of that line
Result<GateResult> gate_from_json(std::string_view json);

// A ratio as the gate writes it: all three, or null.
struct SpeedupFields {
  std::optional<double> low;
  double estimate = 1;
  std::optional<double> high;
};
std::optional<SpeedupFields> fields_of(const std::optional<Ratio>& ratio);
std::optional<Ratio> ratio_from(const std::optional<SpeedupFields>& fields);

void describe(Fields& field, SpeedupFields& speedup);
void describe(Fields& field, GateSide& side);
void describe(Fields& field, GateResult& gate);

}  // namespace msci
