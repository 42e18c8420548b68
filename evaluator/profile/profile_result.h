// The result of a profile: msci-eval --profile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/profile/predict.h"
#include "base/diagnostic.h"
#include "base/result.h"
#include "compiler/mesa/machine_code.h"
#include "engine/device/device.h"
#include "evaluator/result/described.h"
#include "evaluator/result/result_heading.h"

namespace msci {

// A task's plan at one size, profiled.
struct SizeProfile {
  std::string label;
  Profile profile;
  Prediction prediction;
};

// The sizes until the first that failed.
struct Profiled {
  std::vector<SizeProfile> sizes;
  std::optional<Failure> failure;
};

struct ProfileResult {
  ResultHeading heading;
  std::string source;  // the text, to show lines of
  std::string chip;
  RunOutcome<Profiled> result = Error{};
  std::optional<CompiledByMesa> machine_code = {};  // of the kernels that the plan launches
};

std::string to_json(const ProfileResult& result);  // one line; msci-report reads parts of it
std::string profile_schema();                      // the JSON schema of that line
// A table of the launches, what bounds them, and the hottest lines.
std::string to_text(const ProfileResult& result);

template <typename Fields, Described<LineProfile> Value>
void describe(Fields& field, Value& line) {
  field("line", line.line, "of the source; 0 if unknown");
  field("instructions", line.instructions, "that simdgroups execute");
  field("cycles", line.cycles, "that they keep a scheduler busy");
  field("active_lanes", line.active_lanes, "of 32");
  field("device_lines", line.lines, "of 128 bytes that accesses of device memory touch");
  field("least_device_lines", line.least_lines, "that they would touch if they were coalesced");
  field("bank_cycles", line.bank_cycles, "turns of the banks of threadgroup memory");
  field("least_bank_cycles", line.least_bank_cycles, "turns without conflicts");
}

}  // namespace msci
