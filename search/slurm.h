// Judges on the nodes of a Slurm cluster that shares the search's folder with us.
#pragma once

#include <optional>
#include <string>

#include "base/process/slurm_array.h"
#include "search/judge.h"

namespace msci::search {

// Submits all requests as one job array (base/process/slurm_array.h).
class SlurmJudge : public Judge {
 public:
  struct Options {
    SlurmOptions slurm = {};
    std::string device;  // on each node; empty for msci-eval's first
  };
  SlurmJudge(JudgeCall call, Options options)
      : call_(std::move(call)), options_(std::move(options)) {}
  std::optional<Error> judge(std::span<const JudgeRequest> requests,
                             const OnJudgement& on_judgement) override;

 private:
  JudgeCall call_;
  Options options_;
};

}  // namespace msci::search
