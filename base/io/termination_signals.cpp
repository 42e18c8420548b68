#include "base/io/termination_signals.h"

#include <fmt/format.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace msci {

Result<Fd> open_termination_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  Fd opened(::signalfd(-1, &signals, SFD_CLOEXEC));
  if (!opened) return Error{fmt::format("cannot wait for signals: {}", std::strerror(errno))};
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return opened;
}

}  // namespace msci
