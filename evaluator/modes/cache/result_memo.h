// The results of a batch of files by the text of each: a text that an earlier run or an earlier
// file of the batch had is not judged again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/batch.h"
#include "evaluator/server/result_key.h"
#include "evaluator/server/verdict_cache.h"

namespace msci {

class ResultMemo {
 public:
  // Shares nothing without a key. `most_bytes`: of all verdicts that are kept on the disk.
  ResultMemo(std::optional<ResultKey> key, std::uintmax_t most_bytes,
             std::vector<CandidateOrigin> origins);

  // What has to be judged. Shared texts have ids instead of names (source_id.h).
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

}  // namespace msci
