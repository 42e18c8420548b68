// The prompt of a generator. It holds in-distribution information only: the held-out size is in
// none of the inputs, so it is not in the prompt.
#pragma once

#include <optional>
#include <string>

#include "evaluator/result/evaluation_result.h"
#include "search/history.h"
#include "tasks/plan/task.h"

namespace msci::search {

// A judged kernel.
struct PromptAttempt {
  std::string source;
  EvaluationResult judgement;
};

// The fixed instructions, the task, the previous attempt, the parent if its text differs, the last
// eight records, a notice if the search stagnates, and the request. Before the first judged
// candidate, the seed replaces the attempts. The Metal rules are those of our catalogue that models
// break most.
std::string write_prompt(const Task& task, const PromptAttempt& previous,
                         const PromptAttempt& parent, const History& history);

// Whether the last three candidates with a score were not promoted and stayed within 15 % of the
// incumbent's.
bool stagnates(const History& history);

}  // namespace msci::search
