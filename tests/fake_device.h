// A Device that answers from a script and remembers what it was asked.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "engine/device/device.h"

namespace msci {

class FakeDevice : public Device {
 public:
  struct Asked {
    Plan plan;
    Repeats repeats;
  };

  DeviceInfo about = {.name = "fake"};
  std::optional<Result<Attempt<Run>>> build_answer;  // an Error or a Failure instead of a program
  std::deque<Result<Attempt<Run>>> run_answers;      // one for each run, in order
  // Answers instead of the script where it is set.
  std::function<Result<Attempt<Run>>(const Plan&, Repeats)> answer;
  std::vector<Asked> asked;

  const DeviceInfo& info() const override { return about; }

  Result<Attempt<std::unique_ptr<Program>>> build(const Translation&) override {
    if (build_answer && !*build_answer) return build_answer->error();
    if (build_answer) return Attempt<std::unique_ptr<Program>>{std::get<Failure>(**build_answer)};
    return Attempt<std::unique_ptr<Program>>{std::make_unique<FakeProgram>(*this)};
  }

 private:
  class FakeProgram : public Program {
   public:
    explicit FakeProgram(FakeDevice& device) : device_(device) {}
    Result<Attempt<Run>> run(const Plan& plan, Repeats repeats) override {
      device_.asked.push_back({plan, repeats});
      if (device_.answer) return device_.answer(plan, repeats);
      if (device_.run_answers.empty()) return Error{"the script is at its end"};
      auto answer = std::move(device_.run_answers.front());
      device_.run_answers.pop_front();
      return answer;
    }

   private:
    FakeDevice& device_;
  };
};

}  // namespace msci
