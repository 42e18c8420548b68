#include "base/process/isolated_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>
#include <optional>
#include <utility>

#include "base/io/descriptor.h"
#include "base/process/heap.h"
#include "base/process/memory_size.h"

namespace msci {
namespace {

// How far the stack may grow: legitimate input recurses deeply. The kernel leaves at least 128 MiB
// of address space below the stack.
constexpr std::size_t stack_bytes = std::size_t{96} << 20;

// What nearly all work allocates.
constexpr std::size_t usual_heap = std::size_t{1280} << 10;

// Without access, below the stack of another thread: more than any frame.
constexpr std::size_t guard_bytes = std::size_t{2} << 20;

// The exit statuses of a copy. The limits are those that no signal of their own reports.
enum ExitCode { text_written = 0, not_written = 1, out_of_memory = 3, out_of_stack = 4 };

// Static initialisation runs on the main thread. A copy has the stack of the thread that made it.
const pthread_t main_thread = ::pthread_self();

// The signals of a crash.
constexpr std::array faults = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE};

// The copy's end of the socket; negative in any other process.
int parents_socket = -1;

// Where the copy's stack starts; a fault stack_bytes below it is a stack overflow.
const char* stack_start = nullptr;

void handle_fault(int signal, siginfo_t* info, void*) {
  const bool has_address = info->si_code > 0;  // it came from an instruction, not from kill()
  const auto depth = stack_start - static_cast<const char*>(info->si_addr);
  constexpr std::ptrdiff_t slack = 4 << 20;
  const auto size = static_cast<std::ptrdiff_t>(stack_bytes);
  if (has_address && depth > size - slack && depth < size + slack) ::_exit(out_of_stack);
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // takes effect when this handler returns
}

// Reports stack overflows and failed allocations by exit statuses of their own.
void install_limit_handlers() {
  static char room[1 << 16];  // the handler's stack, because the normal one is full
  const stack_t stack{.ss_sp = room, .ss_flags = 0, .ss_size = sizeof room};
  ::sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_sigaction = handle_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigaction(SIGSEGV, &action, nullptr);
  ::sigaction(SIGBUS, &action, nullptr);
  std::set_new_handler(exit_out_of_memory);
}

void limit(int resource, rlim_t value) {
  rlimit both{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &both) != 0) return;
  both.rlim_cur = std::min(value, both.rlim_max);
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

// Of processor time, rounded up.
unsigned seconds_used() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<unsigned>(used.tv_sec) + (used.tv_nsec > 0 ? 1 : 0);
}

// From now on; `used` seconds do not count.
void apply(const Limits& limits, unsigned used = 0) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, used + limits.seconds);
  limit(RLIMIT_STACK, stack_bytes);
#ifndef __SANITIZE_ADDRESS__  // it reserves terabytes of address space
  if (const auto now = address_space_in_use()) limit(RLIMIT_AS, *now + limits.memory_bytes);
#endif
}

// A text that one process sends another: behind its size, and behind whether it is kept only, in
// the highest bit of the same word.
struct Text {
  bool is_kept = false;
  std::string text;
};
constexpr std::uint64_t kept_bit = std::uint64_t{1} << 63;

// False if the other end is closed.
bool send_text(int socket, std::string_view text, bool is_kept = false) {
  const std::uint64_t head = text.size() | (is_kept ? kept_bit : 0);
  return send_all(socket, {reinterpret_cast<const char*>(&head), sizeof head}) &&
         send_all(socket, text);
}

// Takes the first text off what was received; none if it is not whole.
std::optional<Text> take_text(std::string& received) {
  std::uint64_t head = 0;
  if (received.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, received.data(), sizeof head);
  const auto size = head & ~kept_bit;
  if (received.size() - sizeof head < size) return std::nullopt;
  Text taken{(head & kept_bit) != 0, received.substr(sizeof head, size)};
  received.erase(0, sizeof head + size);
  return taken;
}

// Answers requests until the parent closes its end. False if an answer cannot be sent.
bool answer_requests(const AnsweringWork& work, const Limits& limits) {
  std::string received;
  for (bool is_first = true;; is_first = false) {
    auto request = take_text(received);
    for (; !request; request = take_text(received))
      if (!msci::read_available(parents_socket, received)) return true;
    if (!is_first) apply(limits, seconds_used());
    if (!send_text(parents_socket, work(request->text))) return false;
  }
}

// Returns the copy's exit code.
int run_within(const std::function<bool()>& run, const Limits& limits) {
  char here = 0;
  stack_start = &here;
  install_limit_handlers();
  apply(limits);
  fill_heap(usual_heap);
  return run() ? text_written : not_written;
}

// The main thread's stack grows up to its limit. Another thread's has 8 MiB, so the work of its
// copy gets a thread with a stack as deep as the main thread's.
int run_on_deep_stack(const std::function<int()>& run) {
  if (::pthread_equal(::pthread_self(), main_thread)) return run();
  struct Call {
    const std::function<int()>& run;
    int code = not_written;
  } call{run};
  const auto start = [](void* argument) -> void* {
    auto& own = *static_cast<Call*>(argument);
    own.code = own.run();
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_t thread;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setguardsize(&attributes, guard_bytes);
  ::pthread_attr_setstacksize(&attributes, stack_bytes + guard_bytes);
  if (::pthread_create(&thread, &attributes, start, &call) != 0) return not_written;
  ::pthread_join(thread, nullptr);
  return call.code;
}

// Runs in the copy. Its standard error is discarded: messages of a crashing library are not for the
// user. It is noexcept, because an exception (no memory is left) must not reach the parent's code.
int run_copy(const std::function<bool()>& run, const Limits& limits, int socket) noexcept {
  close_others(socket);
  if (const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0)
    ::dup2(null, STDERR_FILENO);
  parents_socket = socket;
  return run_on_deep_stack([&] { return run_within(run, limits); });
}

// Why a copy returned no text. Errors: a signal from outside ended it.
Result<IsolatedOutcome> failure_of(const ExitStatus& status, const Limits& limits,
                                   std::string kept) {
  const auto failure = [&](std::string reason) {
    return IsolatedOutcome(WorkFailure{std::move(reason), std::move(kept)});
  };
  if (status.code == out_of_memory)
    return failure(fmt::format("it takes more than {} MiB of memory", limits.memory_bytes >> 20));
  if (status.code == out_of_stack) return failure("it is nested too deeply");
  if (status.signal == SIGXCPU)
    return failure(fmt::format("it takes more than {} s of processor time", limits.seconds));
  if (std::find(faults.begin(), faults.end(), status.signal) != faults.end())
    return failure(fmt::format("msci crashed on it ({})", ::strsignal(*status.signal)));
  return Error{fmt::format("the process that read the source failed: {}", describe(status))};
}

}  // namespace

void keep(std::string_view text) {
  if (parents_socket >= 0) send_text(parents_socket, text, true);
}

void exit_out_of_memory() { ::_exit(out_of_memory); }

Result<IsolatedProcess> IsolatedProcess::fork(const std::function<bool()>& run,
                                              const Limits& limits) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{fmt::format("cannot open a pair of sockets: {}", std::strerror(errno))};
  Fd ours(ends[0]);
  const Fd theirs(ends[1]);
  auto process = ChildProcess::fork([&] { return run_copy(run, limits, theirs.get()); });
  if (!process) return process.error();
  return IsolatedProcess(*std::move(process), std::move(ours), limits);
}

Result<IsolatedProcess> IsolatedProcess::start(const Work& work, const Limits& limits) {
  return fork([&] { return send_text(parents_socket, work()); }, limits);
}

Result<IsolatedProcess> IsolatedProcess::serve(const AnsweringWork& work, const Limits& limits) {
  return fork([&] { return answer_requests(work, limits); }, limits);
}

// Where the process has ended, answer() says so.
void IsolatedProcess::ask(std::string_view request) { send_text(socket_.get(), request); }

bool IsolatedProcess::read_available() {
  const bool goes_on = msci::read_available(socket_.get(), received_);
  while (auto text = take_text(received_))
    if (text->is_kept)
      kept_ = std::move(text->text);
    else
      answer_ = std::move(text->text);
  return !goes_on;
}

Result<IsolatedOutcome> IsolatedProcess::answer(
    const std::function<void(std::string_view)>& on_kept) {
  while (!answer_) {
    const bool has_ended = read_available();
    if (on_kept && !kept_.empty()) on_kept(kept_);
    if (has_ended && !answer_) return finish();
  }
  return IsolatedOutcome(*std::exchange(answer_, std::nullopt));
}

Result<IsolatedOutcome> IsolatedProcess::finish() {
  socket_ = Fd();
  const auto status = process_.wait();
  received_.clear();
  if (status.code == text_written && answer_) return IsolatedOutcome(*std::move(answer_));
  return failure_of(status, limits_, std::exchange(kept_, ""));
}

}  // namespace msci
