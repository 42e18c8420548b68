// The held-out gate: what a search ends with must hold at a size that no generator was shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "evaluator/evaluate.h"
#include "evaluator/versus.h"

namespace msci {

// What a kernel comes to, first at the shown sizes, then at the held-out one.
enum class GateVerdict {
  incorrect,          // refused, or wrong at a shown size: nothing about it is silent
  generalises,        // right, and no slower than the seed
  silent_incorrect,   // wrong, or it does not run
  silent_regression,  // right, and slower than the seed by more than least_gain beyond doubt
};
// "silent-regression": the spelling in reports.
std::string_view to_string(GateVerdict verdict);

// One of the two at the held-out size; of an incorrect one, what its shown sizes say.
struct GateSide {
  bool correct = false;
  std::optional<Timing> timing = std::nullopt;  // none unless it is correct
  std::string fail_reason = {};                 // as fail_reason() has it; empty where correct
};

struct GateReport {
  std::string task;
  std::string device;
  std::string size;                // the held-out one's label
  std::string rival = "the seed";  // whom the incumbent is compared with: the seed, or a file
  GateVerdict verdict = GateVerdict::silent_incorrect;
  std::optional<GateSide> seed;  // of the rival; none where the incumbent is incorrect
  GateSide incumbent;
  bool is_seed = false;          // both come to one program, and nothing was compared
  std::optional<Versus> versus;  // the rival, in turns; none then, or where it is not right
};

// Judges the incumbent at the shown sizes, evaluates both at the held-out size, then measures them
// in turns, in this one session. A program that is the seed's own is not measured against itself,
// and generalises where it is right. The task has a held-out size. Errors: ours, or the seed is not
// right there.
Result<GateReport> hold_gate(const Task& task, const Translation& seed,
                             const Translation& incumbent, const Bench& bench, Repeats repeats);
// Of an incumbent that came to this at the shown sizes, or was refused before; not Scored.
GateReport report_incorrect(const Task& task, const Device& device, const Outcome& outcome);

std::string to_text(const GateReport& report);
// One line: task, device, size, verdict, seed{correct, gpu_seconds, fraction_of_ceiling,
// fail_reason} (null where the incumbent is incorrect), incumbent{the same}, same_program,
// speedup{low, estimate, high}: null where they are the same program, or the incumbent is not
// right.
std::string to_json(const GateReport& report);

}  // namespace msci
