// msci-eval --reduce: the smallest kernel that still has a finding, a refusal or a wrong result.
#pragma once

#include <optional>
#include <string>

#include "engine/device/device.h"
#include "evaluator/options/eval_options.h"
#include "evaluator/session/candidate.h"
#include "tasks/plan/task.h"

namespace msci {

// Shrinks the FILE and writes what is left to --save-kernel or to standard output. `task` and
// `device` are null where none is given: findings of lint and refusals need none. Returns the exit
// code: 0, 1 if the kernel does not show what it must keep, 2 for errors.
int reduce_file(const EvaluatorOptions& options, const Task* task, Device* device);

// What a kernel must keep while it shrinks: msci-eval --reduce.

// A finding of lint, a fault of the checked mode, a refusal, or a wrong result. The first source
// decides which one it is: later ones must have the same message, or the same first wrong element.
class Interest {
 public:
  // `task` and `device` are null where none is given.
  Interest(const EvaluatorOptions& options, const Task* task, Device* device);

  // Whether a wanted thing needs a task to run on.
  static bool needs_task(const std::string& wanted);

  Result<bool> shows(const Source& source);
  // What the last source shows instead: ids, or how wrong it is; may be empty.
  const std::string& shown() const { return shown_; }

 private:
  // What the source has of the wanted kind, as a text that must stay the same; none if it has not.
  Result<std::optional<std::string>> find(const Source& source);
  std::optional<std::string> find_refusal(const Candidate& candidate);
  std::optional<std::string> find_message(const std::vector<Diagnostic>& findings);
  Result<std::optional<std::string>> find_fault(const Candidate& candidate);
  Result<std::optional<std::string>> find_wrong_result(const Candidate& candidate);

  const EvaluatorOptions& options_;
  const std::string& wanted_;
  const Task* task_;
  Device* device_;
  std::optional<std::string> kept_;
  std::optional<Bytes> reference_;
  std::size_t most_wrong_ = 0;  // elements of the first source
  std::string shown_;
};

}  // namespace msci
