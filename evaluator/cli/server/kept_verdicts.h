// Verdicts on equal texts: reached once in a batch, and kept for later runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluator/evaluate.h"
#include "evaluator/options/eval_options.h"
#include "evaluator/result/evaluation_result.h"
#include "evaluator/server/verdict_cache.h"

namespace msci {

class KeptVerdicts {
 public:
  // Shares nothing if the options say so, or if verdicts depend on more than a text and the
  // options: on times, on other files and kernels, or on plans whose files are unknown.
  KeptVerdicts(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
               const std::vector<EvaluationContext>& contexts);

  bool are_shared() const { return cache_.has_value(); }
  // Of a text and all that its verdict depends on.
  std::string digest_of(const std::string& text) const;

  // The results on all tasks, under the own name of the digest (own_name.h).
  std::optional<std::vector<EvaluationResult>> find(const std::string& digest);
  void store(const std::string& digest, const std::vector<EvaluationResult>& results);

 private:
  std::string version_;
  std::optional<VerdictCache> cache_;
};

// The same results under another name than the own one of the digest.
std::vector<EvaluationResult> renamed(const std::vector<EvaluationResult>& results,
                                      const std::string& digest, const std::string& name);

}  // namespace msci
