#include "base/io/termination_signals.h"

#include <sys/signalfd.h>

#include <csignal>

namespace msci {

int open_termination_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return ::signalfd(-1, &signals, SFD_CLOEXEC);
}

}  // namespace msci
