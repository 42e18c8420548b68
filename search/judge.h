// Judges candidates with msci-eval, in processes of their own, here or on other machines.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/process/run_command.h"
#include "base/result.h"

namespace msci::search {

// A file to judge. Names are relative to the search's folder.
struct JudgeRequest {
  std::string candidate;
  std::optional<std::string> rival;  // measured in alternation with the candidate
  bool gate = false;                 // the held-out gate; the rival is the seed
};

// Called as soon as a request has its judgement: msci-eval's JSON, and the seconds that it took.
using OnJudgement =
    std::function<std::optional<Error>(std::size_t request, std::string json, double seconds)>;

class Judge {
 public:
  virtual ~Judge() = default;
  // Judges all requests, in any order. Errors are ours: no device, no driver; or the Error of
  // `on_judgement`.
  [[nodiscard]] virtual std::optional<Error> judge(std::span<const JudgeRequest> requests,
                                                   const OnJudgement& on_judgement) = 0;
};

// How to run msci-eval, or a replacement.
struct JudgeCall {
  std::string line;  // for the shell: the program, and first arguments
  std::string task;
  std::string folder;                                       // of the files; the working directory
  std::string verdict = "strict";                           // as --verdict takes it
  std::string chip = {};                                    // to predict times on; empty: measure
  std::chrono::milliseconds limit = std::chrono::hours(1);  // for a request
};

// The arguments after `line`; `device` may be empty.
std::vector<std::string> arguments_of(const JudgeCall& call, const JudgeRequest& request,
                                      const std::string& device);

// The JSON that msci-eval printed. If it crashed or took too long, this is a result without a
// verdict, and a search goes on. Errors: msci-eval failed for a reason that is not the source.
Result<std::string> judgement_of(const CommandResult& result);

// Runs one process at a time on each device.
class LocalJudge : public Judge {
 public:
  // An empty name means msci-eval's first device.
  LocalJudge(JudgeCall call, std::vector<std::string> devices)
      : call_(std::move(call)), devices_(std::move(devices)) {}
  std::optional<Error> judge(std::span<const JudgeRequest> requests,
                             const OnJudgement& on_judgement) override;

 private:
  JudgeCall call_;
  std::vector<std::string> devices_;
};

}  // namespace msci::search
