#include "evaluator/engine/fault_guard.h"

#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <vector>

namespace msci::engine {

namespace {

struct Recovery {
  sigjmp_buf point;
  Trap trap;
};
thread_local Recovery* recovery = nullptr;

void handle(int signal, siginfo_t* details, void*) {
  if (!recovery) {
    ::signal(signal, SIG_DFL);  // not the kernel's: the instruction runs again and ends the process
    return;
  }
  recovery->trap = {signal, details->si_addr};
  ::siglongjmp(recovery->point, 1);
}

// The stack of a simdgroup may be what overflowed.
class SignalStack {
 public:
  SignalStack() : memory_(std::size_t{64} << 10) {
    stack_t stack = {};
    stack.ss_sp = memory_.data();
    stack.ss_size = memory_.size();
    ::sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    stack_t stack = {};
    stack.ss_flags = SS_DISABLE;
    ::sigaltstack(&stack, nullptr);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  std::vector<std::byte> memory_;
};

}  // namespace

void prepare_for_traps() {
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) ::sigaction(signal, &action, nullptr);
}

std::optional<Trap> guarded(const std::function<void()>& code) {
  thread_local SignalStack signal_stack;
  Recovery here;
  recovery = &here;
  if (::sigsetjmp(here.point, 1) == 0) {
    code();
    recovery = nullptr;
    return std::nullopt;
  }
  recovery = nullptr;
  return here.trap;
}

}  // namespace msci::engine
