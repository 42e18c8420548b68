// Judging on the nodes of a Slurm cluster that shares the search's folder with us.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "evaluator/search/judge.h"

namespace msci::search {

// Hands all jobs to Slurm at once, as one job array. A job that Slurm no longer knows and that left
// no judgement, since its node was lost, is handed over again.
class SlurmJudge : public Judge {
 public:
  struct Options {
    std::vector<std::string> sbatch;  // further arguments: "--partition=gpu"
    std::string device;               // of each node; empty for msci-eval's first
    std::chrono::milliseconds poll = std::chrono::seconds(1);
    unsigned attempts = 3;  // for a job, before the search gives up
  };
  SlurmJudge(JudgeCall call, Options options)
      : call_(std::move(call)), options_(std::move(options)) {}
  Result<std::monostate> judge(std::span<const Job> jobs, const TakeJudgement& take) override;

 private:
  JudgeCall call_;
  Options options_;
};

}  // namespace msci::search
