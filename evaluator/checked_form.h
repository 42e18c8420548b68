// The checked form of a candidate, for the checked runs of its strict verdict.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/candidate.h"
#include "evaluator/device/device.h"

namespace msci {

// A device that runs checked forms, for all threads that judge.
struct Checker {
  std::unique_ptr<Device> device;
  std::mutex mutex;  // of the device
};

class CheckedForm {
 public:
  // Both must outlive it. Translates and builds when the first plan is to run.
  CheckedForm(const Candidate& candidate, Checker& checker)
      : candidate_(candidate), checker_(checker) {}

  // The decisive faults of one pass: "k.metal:3:5: ... [check.race]". Nothing where the candidate
  // has no checked form, and where the pass does not end: neither is a fault. Errors are ours.
  Result<std::vector<std::string>> find_faults(const Plan& plan);

 private:
  Result<Program*> program();  // null without a checked form

  const Candidate& candidate_;
  Checker& checker_;
  bool is_prepared_ = false;
  std::optional<Translation> translation_;
  std::unique_ptr<Program> program_;
};

}  // namespace msci
