// Judges on the nodes of a Slurm cluster that shares the search's folder with us.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "evaluator/search/judge.h"

namespace msci::search {

// Submits all requests as one job array. A job that Slurm no longer lists and that left no
// judgement, because its node failed, is submitted again.
class SlurmJudge : public Judge {
 public:
  struct Options {
    std::vector<std::string> sbatch;  // further arguments: "--partition=gpu"
    std::string device;               // on each node; empty for msci-eval's first
    std::chrono::milliseconds poll = std::chrono::seconds(1);
    unsigned attempts = 3;  // for a request, before the search fails
  };
  SlurmJudge(JudgeCall call, Options options)
      : call_(std::move(call)), options_(std::move(options)) {}
  Result<std::monostate> judge(std::span<const JudgeRequest> requests,
                               const OnJudgement& on_judgement) override;

 private:
  JudgeCall call_;
  Options options_;
};

}  // namespace msci::search
