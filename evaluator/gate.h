// The held-out gate: what a search ends with must hold at a size that no generator was shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "evaluator/evaluate.h"
#include "evaluator/versus.h"

namespace msci {

// What the held-out size says of a kernel that is right at the shown ones.
enum class GateVerdict {
  generalises,        // right, and no slower than the seed
  silent_incorrect,   // wrong, or it does not run
  silent_regression,  // right, and slower than the seed by more than least_gain beyond doubt
};
// "silent-regression": the spelling in reports.
std::string_view to_string(GateVerdict verdict);

struct GateReport {
  std::string task;
  std::string device;
  GateVerdict verdict = GateVerdict::silent_incorrect;
  SizeOutcome seed;
  SizeOutcome incumbent;
  bool is_seed = false;          // both come to one program, and nothing was compared
  std::optional<Versus> versus;  // the seed, in turns; none then, or where one does not run
};

// Evaluates both at the held-out size, then measures them in turns, in this one session. A program
// that is the seed's own is not measured against itself, and generalises where it is right. Errors:
// ours, or the seed is not right there.
Result<GateReport> hold_gate(const Task& task, const Translation& seed,
                             const Translation& incumbent, const Bench& bench, Repeats repeats);

std::string to_text(const GateReport& report);
// One line: task, device, size, verdict, seed{correct, gpu_seconds, fraction_of_ceiling},
// incumbent{the same, fail_reason}, same_program, speedup{low, estimate, high}: null where they are
// the same program, or one does not run.
std::string to_json(const GateReport& report);

}  // namespace msci
