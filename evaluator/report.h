// Outcomes for people and for programs.
//
// to_json writes one line, an object with the fields of a benchmark record (compile_ok, correct,
// score, fail_reason, sizes[]) and, beside them, file, role, task, device, ceilings, ceiling_source
// ("table", "measured", or null where nothing was timed; task is null for a source that fits none
// of several), held_out (a size, or null), diagnostics[] and error. What does not exist is null:
// the score of a wrong kernel, the timing of a size that was only verified. JSON knows no NaN and
// no infinity, so error_value is null for them and error_text says "NaN" or "Infinity"; it is null
// otherwise. A size that did not run to its end has the error_kind "exception", and says why in
// cause and message. `strict` is null or {passed, nonce (as text: it has 64 bits), sizes[]}, each
// size with label, correct, error_value, error_text, error_kind, tolerance, cause, message and
// overruns, and ghosts[]. pairs[] {label, candidate[], rival[]} are seconds of passes measured in
// turns with a rival. `error` is set when the file could not be checked; compile_ok and correct are
// then null.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "evaluator/check.h"
#include "evaluator/device/device.h"
#include "evaluator/evaluate.h"
#include "evaluator/measure/machine.h"
#include "evaluator/versus.h"
#include "lint/metal/diagnostic.h"

namespace msci {

// All that is said about one file.
struct EvaluationReport {
  std::string file;
  std::string_view task;           // empty where the source fits none of several
  std::string_view achieved_unit;  // the task's own words, "GB/s (effective, 8 B/cell)"
  Ceiling ceiling = Ceiling::bandwidth;
  std::string device;                            // its name
  std::optional<Ceilings> ceilings;              // none where nothing was timed
  bool is_seed = false;                          // the task's own kernel
  std::optional<std::size_t> threadgroup_bytes;  // the most of the task's kernels; none if unknown
  std::vector<std::string> misread;              // buffers, as evaluator/bindings.h tells of them
  std::size_t source_bytes = 0;
  std::optional<MachineState> machine;  // before it ran; none where nothing was timed
  std::string_view protocol;            // "steady" or "metal-sci"; empty where nothing was timed
  std::vector<Diagnostic> diagnostics;  // the front end's, for Metal sources
  std::variant<Outcome, Error> result;
  std::optional<Strict> strict;  // none where the outcome is not right already
  std::string rival;             // the file that it was measured against; empty without
  std::optional<Versus> versus;  // in turns with the rival; none unless both run
  Effort effort = {};            // what judging it took; told of many at once, to_text(Effort)
};

// All that is said about one file in the checked mode. to_json has, beside file, task, device,
// diagnostics[] and error: size, valid (nothing was found; null where it could not be checked),
// findings[] (diagnostics with notes[]), cause and message of a run that failed.
struct CheckReport {
  std::string file;
  std::string_view task;
  std::string size;
  std::string device;
  std::vector<Diagnostic> diagnostics;  // the front end's
  std::variant<Checked, Rejected, Error> result;
};

// Why there is no score, in the benchmark's words: "correctness failed at size 1M:
// max_abs=3.000e+00". None where all is right.
std::optional<std::string> fail_reason(const Outcome& outcome);

std::string to_text(const EvaluationReport& report, bool colour);
std::string to_json(const EvaluationReport& report);
// Where the time went, in seconds: "front end 0.4, inputs 3.0, ..."
std::string to_text(const Effort& effort);
// One line a device: index (in --device), name, vendor, platform, driver, platform_index,
// device_index, kind, compute_units, max_threads_per_threadgroup, threadgroup_memory, global_memory
// and max_buffer (bytes).
std::string devices_json(std::span<const DeviceInfo> devices);

std::string to_text(const CheckReport& report, bool colour);
std::string to_json(const CheckReport& report);

}  // namespace msci
