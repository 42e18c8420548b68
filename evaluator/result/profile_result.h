// The result of a profile: msci-eval --profile.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "evaluator/device/device.h"
#include "evaluator/profile/predict.h"
#include "evaluator/result/outcome.h"

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
  std::string file;
  std::string source;  // the text, to show lines of
  std::string task = {};
  std::string chip;
  std::variant<Profiled, Rejected, Error> result;
};

std::string to_json(const ProfileResult& result);  // one line; nothing of ours reads it back
std::string profile_schema();                      // the JSON schema of that line
// A table of the launches, what bounds them, and the hottest lines.
std::string to_text(const ProfileResult& result);

}  // namespace msci
