#include <fcntl.h>

#include "base/io/descriptor.h"
#include "lint/ide/protocol/requests.h"

namespace msci {

Result<EvaluationProcess> EvaluationProcess::start(std::vector<std::string> arguments) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Error{"the system has no pipe left"};
  Fd out(ends[0]);
  const Fd written(ends[1]);
  ::fcntl(out.get(), F_SETFL, O_NONBLOCK);
  // One program acts as all of msci's (driver/main.cpp).
  arguments.insert(arguments.begin(), {"/proc/self/exe", "eval"});
  auto process = ChildProcess::start({.arguments = std::move(arguments),
                                      .environment = {"NO_COLOR=1"},
                                      .descriptors = {-1, written.get(), written.get()}});
  if (!process) return process.error();
  return EvaluationProcess(*std::move(process), std::move(out));
}

bool EvaluationProcess::read_available() { return !msci::read_available(out_.get(), output_); }

}  // namespace msci
