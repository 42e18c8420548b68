// The loop of modes that judge each selected kernel with each of its tasks.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/options/eval_options.h"
#include "evaluator/session/candidate.h"

namespace msci {

struct Judged {
  std::optional<Error> error;  // why msci could not judge
  std::string output;          // JSON with its line feed, or text; no text beside an error
  bool is_right = false;
};

using Judge = std::function<Judged(const Candidate& candidate, const Task* task)>;

// Judges the selected kernels, translated for the purpose, and prints the results, with progress.
// `task` is null if a kernel fits none. Returns the worst exit code.
int judge_each(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
               TranslationPurpose purpose, const Judge& judge);

}  // namespace msci
