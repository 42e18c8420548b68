#include "runtime/engine/fault_guard.h"

#include <pthread.h>

#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace msci::engine {

namespace {

struct Recovery {
  sigjmp_buf point;
  Trap trap;
};
thread_local Recovery* recovery = nullptr;

std::atomic<bool> time_is_up = false;

// The threads in guarded().
constexpr std::size_t most_threads = 1024;
std::array<std::atomic<pthread_t>, most_threads> guarded_threads;

class Registration {
 public:
  Registration() {
    for (auto& place : guarded_threads) {
      pthread_t none = {};
      if (!place.compare_exchange_strong(none, ::pthread_self())) continue;
      place_ = &place;
      return;
    }
  }
  ~Registration() {
    if (place_) *place_ = pthread_t{};
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  std::atomic<pthread_t>* place_ = nullptr;
};

void handle(int signal, siginfo_t* details, void*) {
  if (signal == SIGALRM) {
    if (details->si_code != SI_TKILL) {  // the timer's, which reaches one thread
      time_is_up = true;
      stop_other_guarded();
    }
    if (!recovery) return;
  }
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
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM})
    ::sigaction(signal, &action, nullptr);
}

bool is_time_up() { return time_is_up; }

// A thread whose call ends meanwhile ignores the signal.
void stop_other_guarded() {
  for (auto& place : guarded_threads) {
    const auto thread = place.load();
    if (thread != pthread_t{} && !::pthread_equal(thread, ::pthread_self()))
      ::pthread_kill(thread, SIGALRM);
  }
}

void stop_outside(std::uint32_t array) {
  if (!recovery) std::abort();  // kernels run in guarded() only
  recovery->trap = {.outside_array = array};
  ::siglongjmp(recovery->point, 1);
}

std::optional<Trap> guarded(const std::function<void()>& code) {
  thread_local SignalStack signal_stack;
  const Registration registration;
  if (time_is_up) return Trap{.signal = SIGALRM};
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
