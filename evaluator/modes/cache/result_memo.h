// The results of a batch of files by the text of each: a text that an earlier run or an earlier
// file of the batch had is not judged again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "evaluator/batch.h"
#include "evaluator/evaluate.h"
#include "evaluator/evaluate_candidate.h"
#include "evaluator/options/eval_options.h"
#include "evaluator/result/evaluation_result.h"
#include "evaluator/server/verdict_cache.h"
#include "tasks/plan/task.h"

namespace msci {

class ResultMemo {
 public:
  // Shares nothing without a key. `most_bytes`: of all verdicts that are kept on the disk.
  ResultMemo(std::optional<ResultKey> key, std::uintmax_t most_bytes,
             std::vector<CandidateOrigin> origins);

  // What has to be judged. Shared texts have ids instead of names.
  const std::vector<CandidateOrigin>& open() const { return open_; }
  // The name of the first file with the text of a candidate of open().
  const std::string& name_of(const Candidate& candidate) const;

  // The results of the next origin in open().
  void take(const std::vector<TaskResult>& judged);
  // The results that come next in the order of the files and that have not been passed on yet,
  // under the name of their file; none where they are still open.
  std::optional<std::vector<EvaluationResult>> next();

  std::size_t files() const { return entries_.size(); }
  std::size_t kept_before() const { return kept_before_; }  // files whose results were kept

 private:
  struct Entry {
    std::string file;
    std::string digest = {};                                    // empty: not shared
    std::optional<std::size_t> same_as = {};                    // an earlier entry of the same text
    std::optional<std::vector<EvaluationResult>> results = {};  // shared ones with an id
  };

  void add(CandidateOrigin origin);

  std::optional<ResultKey> key_;  // none: nothing is shared
  std::optional<VerdictCache> cache_;
  std::vector<Entry> entries_;
  std::vector<CandidateOrigin> open_;
  std::vector<std::size_t> judged_;              // the places in entries_ of open_
  std::map<std::string, std::size_t> first_of_;  // places by digest
  std::map<std::string, std::string> names_;     // by id
  std::size_t taken_ = 0;
  std::size_t passed_on_ = 0;
  std::size_t kept_before_ = 0;
};

// The key of results that msci-eval keeps and shares: as options, tasks and devices make it.

// What the result of a source depends on beside its text. `devices`: all that it may come from.
// None if that is unknown: a task is a plan whose files are unknown.
std::optional<ResultKey> key_of_result(const EvaluatorOptions& options,
                                       std::span<const Task* const> tasks,
                                       const std::vector<const Device*>& devices);

// The key of a batch of files. None also if the options say that nothing is shared, or if results
// depend on more than a text and the key: on times, or on other files and kernels.
std::optional<ResultKey> key_of_batch(const EvaluatorOptions& options, const BatchOptions& batch,
                                      std::span<const EvaluationContext> contexts);

// Results carry the id of their source where files with equal texts share them. Where a result
// leaves for one file, it gets that file's name.

// A name for a source that no other text mentions: it follows from `digest`, that of the text and
// all that its result depends on, so no source can hold it.
std::string source_id(const std::string& digest);

// The result of a source that was judged under its id, as that of the file: `file`, and the
// messages that name the source.
EvaluationResult named(EvaluationResult result, const std::string& file);

}  // namespace msci
