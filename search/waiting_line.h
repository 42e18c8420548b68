// A line on the terminal that says what a search waits for, and for how long.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/io/terminal.h"
#include "base/process/slurm_array.h"
#include "search/loop.h"

namespace msci::search {

// Draws "asking the generator, iteration 3 of 10 … 6 s" and counts the seconds. Draws nothing if
// standard error is not a terminal.
class WaitingLine {
 public:
  // Replaces the line; an empty text removes it, so that others can print.
  void show(std::string_view what);

 private:
  TerminalLine line_;
  std::jthread ticker_;
};

// Judges on the nodes of a Slurm cluster that shares the search's folder with us.

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
