#include "engine/fault_guard.h"

#include <link.h>
#include <pthread.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <thread>
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

// Asks a guarded call of another thread to end.
constexpr int stop_request = SIGUSR1;

// Instructions of one file.
struct Code {
  std::uintptr_t begin;
  std::uintptr_t end;
};

// libm and libmvec, whose functions hold no locks. A kernel may spend all its time in them.
bool is_mathematics(std::string_view file) {
  const auto name = file.substr(file.rfind('/') + 1);  // all of it without a slash
  return name.starts_with("libm.") || name.starts_with("libmvec.");
}

// The code that may hold a lock: of this program, and of the libraries that it has loaded so far.
std::vector<Code> find_locking_code() {
  std::vector<Code> found;
  const auto add = [](dl_phdr_info* file, std::size_t, void* to) {
    if (is_mathematics(file->dlpi_name)) return 0;
    for (const auto& segment : std::span(file->dlpi_phdr, file->dlpi_phnum)) {
      const auto begin = file->dlpi_addr + segment.p_vaddr;
      if (segment.p_type == PT_LOAD && segment.p_flags & PF_X)
        static_cast<std::vector<Code>*>(to)->push_back({begin, begin + segment.p_memsz});
    }
    return 0;
  };
  ::dl_iterate_phdr(add, &found);
  return found;
}

const std::vector<Code>& locking_code() {
  static const auto code = find_locking_code();
  return code;
}

std::uintptr_t instruction_of(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#ifdef __x86_64__
  return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#else
  return machine.pc;
#endif
}

// Whether the thread runs generated code or mathematics. Elsewhere it may hold a lock, such as that
// of malloc(), for which others would wait forever.
bool may_end_here(const void* context) {
  const auto at = instruction_of(context);
  return std::ranges::none_of(locking_code(),
                              [&](const Code& code) { return at >= code.begin && at < code.end; });
}

[[noreturn]] void end_guarded_call(const Trap& trap) {
  recovery->trap = trap;
  ::siglongjmp(recovery->point, 1);
}

// Whether another thread was in a guarded call.
bool request_stop_of_others() {
  bool found = false;
  for (auto& place : guarded_threads) {
    const auto thread = place.load();
    if (thread == pthread_t{} || ::pthread_equal(thread, ::pthread_self())) continue;
    ::pthread_kill(thread, stop_request);
    found = true;
  }
  return found;
}

void handle_request(int, siginfo_t*, void* context) {
  if (recovery && may_end_here(context)) end_guarded_call({.signal = SIGALRM});
}

// The timer's signal reaches one thread, again and again.
void handle_timer(int signal, siginfo_t* details, void* context) {
  if (details->si_code == SI_TKILL) {  // the thread's own
    if (recovery) end_guarded_call({.signal = signal});
    return;
  }
  time_is_up = true;
  request_stop_of_others();
  handle_request(signal, details, context);
}

void handle_trap(int signal, siginfo_t* details, void*) {
  if (recovery) end_guarded_call({.signal = signal, .address = details->si_addr});
  ::signal(signal, SIG_DFL);  // not the kernel's: the instruction runs again and ends the process
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
  locking_code();
  const auto handle = [](int signal, void (*handler)(int, siginfo_t*, void*)) {
    struct sigaction action = {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    // Requests come often, and must not pile up on the stack. siglongjmp() lets them in again.
    for (const int request : {SIGALRM, stop_request}) ::sigaddset(&action.sa_mask, request);
    ::sigaction(signal, &action, nullptr);
  };
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) handle(signal, handle_trap);
  handle(SIGALRM, handle_timer);
  handle(stop_request, handle_request);
}

bool is_time_up() { return time_is_up; }

void stop_other_guarded() {
  constexpr std::chrono::microseconds between_requests(100);
  while (request_stop_of_others()) std::this_thread::sleep_for(between_requests);
}

void stop_outside(std::uint32_t array) {
  if (!recovery) std::abort();  // kernels run in guarded() only
  end_guarded_call({.outside_array = array});
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
