// The result of running one kernel under the meanings of fast math: msci-eval --numerics.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compiler/numeric_meaning.h"
#include "evaluator/result/result_heading.h"
#include "tasks/plan/task.h"

namespace msci {

// The line of the source that a meaning needs to change the verdict.
struct SplittingLine {
  unsigned line = 0;
  bool is_alone = true;  // otherwise the last of several lines that do it together
  bool operator==(const SplittingLine&) const = default;
};

// What came of one meaning.
struct MeaningResult {
  NumericMeaning::Kind meaning = NumericMeaning::Kind::as_written;
  std::optional<Verdict> verdict = {};  // none where the kernel failed
  std::string message = {};             // why it failed
  std::optional<SplittingLine> line = {};

  // Whether its results are beyond the tolerance.
  bool splits() const { return !verdict || !verdict->correct; }
};

struct NumericsResult {
  ResultHeading heading;
  std::string size = {};
  // As written first, which is right; empty where there is a message or an error.
  std::vector<MeaningResult> meanings = {};
  std::optional<std::string> message = {};  // the kernel is refused, or wrong as it is written
  std::optional<Error> error = {};          // why msci could not run it

  std::size_t splits() const;
};

// "as_written"
std::string_view to_string(NumericMeaning::Kind meaning);

std::string to_text(const NumericsResult& result, const std::string& source);
std::string to_json(const NumericsResult& result);  // one line
std::string numerics_schema();                      // the JSON schema of that line
// "max_abs 0.25 (at most 0.0001); 3 of 64 elements, y[0] is NaN, not 1"
std::string text_of(const Verdict& verdict);

}  // namespace msci
