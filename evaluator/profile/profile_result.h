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
#include "evaluator/result/result_heading.h"

namespace msci {

class Fields;

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

void describe(Fields& field, LineProfile& line);

}  // namespace msci
