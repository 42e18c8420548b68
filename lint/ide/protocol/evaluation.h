// A run of msci-eval that an editor asked for.
#pragma once

#include <string>
#include <vector>

#include "base/process/child_process.h"
#include "base/process/fd.h"

namespace msci {

// Runs beside the server. The destructor ends it.
class EvaluationProcess {
 public:
  // msci-eval of this build with these arguments. Errors: the system cannot start it.
  static Result<EvaluationProcess> start(std::vector<std::string> arguments);

  // Readable when there is output; for poll().
  int descriptor() const { return out_.get(); }
  // Reads a piece of the output. True at the end.
  bool read_available();
  // What it printed, standard error included, and how it ended.
  const std::string& output() const { return output_; }
  ExitStatus wait() { return process_.wait(); }

 private:
  EvaluationProcess(ChildProcess process, Fd out)
      : process_(std::move(process)), out_(std::move(out)) {}

  ChildProcess process_;
  Fd out_;
  std::string output_;
};

}  // namespace msci
