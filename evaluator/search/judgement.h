// What msci-eval says of a candidate, read back from its JSON: what a search decides and tells by.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluator/versus.h"
#include "lint/metal/result.h"

namespace msci::search {

// One in-distribution size.
struct SizeResult {
  struct Speed {
    double seconds = 0;   // median of the timed passes
    double achieved = 0;  // in achieved_unit
    double ceiling = 0;   // in ceiling_unit
    double fraction = 0;
    bool operator==(const Speed&) const = default;
  };

  std::string label;
  bool correct = false;
  std::string error_kind;
  double error_value = 0;  // NaN and infinity are possible
  std::optional<double> tolerance;
  std::string message;         // of a failure while running; otherwise empty
  std::optional<Speed> speed;  // none where it did not run to the end
  std::string achieved_unit;
  std::string ceiling_unit;
  bool operator==(const SizeResult&) const = default;
};

struct Judgement {
  std::string device;   // its name; empty where none was needed
  bool checked = true;  // else msci-eval could not do its part, and fail_reason says why
  bool compile_ok = false;
  bool correct = false;
  std::optional<double> score;             // none unless all sizes are right
  std::optional<std::string> fail_reason;  // none where all are right
  std::vector<SizeResult> sizes;
  std::vector<std::string> diagnostics;  // "9:7: error: ... [rule]", in the source's order
  std::vector<PairedTimes> pairs;        // empty where no rival was given, or something is wrong
  double seconds = 0;                    // wall clock of the judging
  bool operator==(const Judgement&) const = default;
};

// From one JSON object as docs/json.md tells. Errors: it is no such thing.
Result<Judgement> read_judgement(std::string_view json);

// The same object with the seconds that judging took as its `elapsed_s`, on lines of its own.
Result<std::string> with_seconds(std::string_view json, double seconds);

// The object for a source that nothing can judge, because it ends what tries to.
std::string refusal(std::string_view reason);

// For prompts: one line a size, then the score or why there is none, and the diagnostics.
std::string to_text(const Judgement& judgement);

}  // namespace msci::search
