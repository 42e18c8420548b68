// What a generator is told. Only in-distribution information: the held-out size is in none of what
// goes in here, and so in nothing that comes out.
#pragma once

#include <optional>
#include <string>

#include "evaluator/search/history.h"
#include "evaluator/task.h"

namespace msci::search {

// A kernel that was judged.
struct Attempt {
  std::string source;
  Judgement judgement;
};

// Standing instructions, the task, the previous attempt, the parent where its text differs, the
// last eight records, a notice where the search stagnates, and the request. Where nothing but the
// seed was judged yet, the seed stands alone in the place of the attempts. Metal rules are those of
// our own catalogue that models break most.
std::string write_prompt(const Task& task, const Attempt& previous, const Attempt& parent,
                         const History& history);

// Whether the last three candidates with a score were not promoted and stayed within 15 % of the
// incumbent's.
bool stagnates(const History& history);

}  // namespace msci::search
