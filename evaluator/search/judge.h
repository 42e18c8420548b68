// Who judges candidates: msci-eval, in processes of its own, here or on other machines.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "evaluator/search/process.h"
#include "lint/metal/result.h"

namespace msci::search {

// A file to be judged, and beside what. Names are those within the search's folder.
struct Job {
  std::string candidate;
  std::optional<std::string> rival;  // to be measured in turns with it
  bool gate = false;                 // the held-out gate, with the rival as the seed
};

// Told as soon as a job is judged: msci-eval's JSON, and the seconds that it took.
using TakeJudgement =
    std::function<Result<std::monostate>(std::size_t job, std::string json, double seconds)>;

class Judge {
 public:
  virtual ~Judge() = default;
  // Judges all jobs, in any order. Errors are ours: no device, no driver; or what `take` returned.
  virtual Result<std::monostate> judge(std::span<const Job> jobs, const TakeJudgement& take) = 0;
};

// How msci-eval, or what stands in for it, is called.
struct JudgeCall {
  std::string line;  // for the shell: the program, and first arguments
  std::string task;
  std::string folder;                                       // where the files are, and it runs
  std::chrono::milliseconds limit = std::chrono::hours(1);  // for a job
};

// What stands behind `line` for a job; `device` may be empty.
std::vector<std::string> arguments_of(const JudgeCall& call, const Job& job,
                                      const std::string& device);

// What msci-eval printed, or stands for what it did not live to print: a source that crashes it is
// refused. Errors: it could not do its work, and would not for another source, either.
Result<std::string> judgement_of(const Ended& ended);

// One process a device, at once; a device is judged on by one process at a time.
class LocalJudge : public Judge {
 public:
  // An empty name of a device is msci-eval's first.
  LocalJudge(JudgeCall call, std::vector<std::string> devices)
      : call_(std::move(call)), devices_(std::move(devices)) {}
  Result<std::monostate> judge(std::span<const Job> jobs, const TakeJudgement& take) override;

 private:
  JudgeCall call_;
  std::vector<std::string> devices_;
};

}  // namespace msci::search
