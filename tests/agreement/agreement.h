// Our answers beside the recorded ones, counted.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "evaluator/evaluate.h"
#include "evaluator/session/compile_kernel.h"
#include "tests/agreement/records.h"

namespace msci {

// What we say about one record's source.
struct RecordedAnswer {
  Fate fate = Fate::unchecked;
  std::optional<unsigned> error_line;     // of our first error, for the refused
  std::optional<std::string> wrong_size;  // label of the first size that is wrong
  std::string reason;                     // why it is not right, in one line
  PhaseTimes times;
};

// What the front end alone says. A construct that it cannot translate was still accepted; the
// reason tells.
RecordedAnswer answer_of(const Result<Compiled>& prepared);
// What the evaluation of an accepted source says.
RecordedAnswer answer_of(const Result<Evaluation>& evaluation);

struct Compared {
  Record record;
  RecordedAnswer answer;
};

// Refused or not: where both say so, the stage does not matter.
bool agree_on_acceptance(const Compared& compared);
// Neither refused it, and both looked at its results.
bool both_judged(const Compared& compared);
bool is_disagreement(const Compared& compared);

// Parts of wholes.
struct Tally {
  struct Share {
    unsigned same = 0;
    unsigned of = 0;
    double percent() const { return of == 0 ? 100 : 100.0 * same / of; }
  };
  Share acceptance;   // refused or not, of those that we could check
  Share error_lines;  // the first error's line, of those that both refuse and that name one
  Share verdicts;     // right or wrong, of those that both judged
  Share wrong_sizes;  // the first wrong size, of those that both find wrong
  unsigned unchecked = 0;
  std::map<std::pair<Fate, Fate>, unsigned> matrix;  // recorded, ours
};
Tally tally(std::span<const Compared> all);

std::string to_text(const Tally& tally, const std::string& title);
// One line each: id, what was recorded and why, what we say and why.
std::string list_disagreements(std::span<const Compared> all);
// Where the time went, summed.
std::string time_text(std::span<const Compared> all);
// One JSON object a line.
std::string to_json_lines(std::span<const Compared> all);

}  // namespace msci
