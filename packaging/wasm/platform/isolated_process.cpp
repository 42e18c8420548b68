// Isolated processes where the system has none: the host of the module runs each in an instance of
// its own, which starts with a copy of this one's memory.
#include "base/process/isolated_process.h"

#include <fmt/format.h>

#include <cstdlib>
#include <new>

#include "module_host.h"

namespace msci {
namespace {

bool is_copy = false;

// What ChildProcess::fork() tells the host.
Limits limits_of_next;

// Exit statuses of a copy, as the host knows them.
constexpr int out_of_memory = 3;

IsolatedOutcome failure_of(CopyEvent event, const Limits& limits, std::string kept) {
  const auto reason = [&]() -> std::string {
    switch (event) {
      case CopyEvent::out_of_memory:
        return fmt::format("it takes more than {} MiB of memory", limits.memory_bytes >> 20);
      case CopyEvent::out_of_stack:
        return "it is nested too deeply";
      case CopyEvent::out_of_time:
        return fmt::format("it takes more than {} s of processor time", limits.seconds);
      default:
        return "msci crashed on it (Aborted)";
    }
  };
  return WorkFailure{reason(), std::move(kept)};
}

}  // namespace

// Called by the host in a copy.
extern "C" __attribute__((export_name("msci_copy_main"))) int msci_copy_main(
    const std::function<int()>* body) {
  is_copy = true;
  std::set_new_handler(exit_out_of_memory);
  return (*body)();
}

extern "C" int poll(pollfd* polled, nfds_t count, int milliseconds) {
  return msci_poll(polled, count, milliseconds);
}

void keep(std::string_view text) {
  if (is_copy) msci_send(1, text.data(), text.size());
}

void exit_out_of_memory() { std::_Exit(out_of_memory); }

ChildProcess::ChildProcess(pid_t process, bool own_group)
    : process_(process), own_group_(own_group), ended_(process) {}

// No process of a program has ever started.
ExitStatus ChildProcess::wait() { return kill(); }
std::optional<ExitStatus> ChildProcess::wait_for(std::chrono::milliseconds) { return kill(); }

std::string describe(const ExitStatus&) { return "it did not start"; }

ExitStatus ChildProcess::kill() {
  if (const auto process = std::exchange(process_, 0)) msci_end(process - first_copy);
  return {};
}

Result<ChildProcess> ChildProcess::start(const ProcessOptions& options) {
  return Error{options.arguments.front() + ": a WebAssembly module starts no programs"};
}

Result<ChildProcess> ChildProcess::fork(const std::function<int()>& body) {
  const auto copy = msci_spawn(&body, limits_of_next.seconds, limits_of_next.memory_bytes);
  if (copy < 0) return Error{"cannot start another instance of the module"};
  return ChildProcess(first_copy + copy, false);
}

Result<IsolatedProcess> IsolatedProcess::fork(const std::function<bool()>& run,
                                              const Limits& limits) {
  limits_of_next = limits;
  auto process = ChildProcess::fork([&] { return run() ? 0 : 1; });
  if (!process) return process.error();
  const auto descriptor = process->descriptor();
  return IsolatedProcess(*std::move(process), Fd(descriptor), limits);
}

Result<IsolatedProcess> IsolatedProcess::start(const Work& work, const Limits& limits) {
  return fork(
      [&] {
        const auto text = work();
        msci_send(0, text.data(), text.size());
        return true;
      },
      limits);
}

// True at the end. finish() knows how it ended from the event that stays behind.
bool IsolatedProcess::read_available() {
  const auto copy = descriptor() - first_copy;
  const auto event = msci_next(copy);
  const auto kind = static_cast<CopyEvent>(event >> 32);
  if (kind != CopyEvent::answer && kind != CopyEvent::kept) {
    received_.assign(1, static_cast<char>(kind));
    return true;
  }
  std::string text(static_cast<std::size_t>(event & 0xffffffff), '\0');
  msci_take(copy, text.data());
  if (kind == CopyEvent::kept)
    kept_ = std::move(text);
  else
    answer_ = std::move(text);
  return false;
}

Result<IsolatedOutcome> IsolatedProcess::finish() {
  while (received_.empty()) read_available();
  const auto kind = static_cast<CopyEvent>(received_.front());
  process_.kill();
  if (kind == CopyEvent::ended && answer_) return IsolatedOutcome(*std::move(answer_));
  return failure_of(kind, limits_, std::exchange(kept_, ""));
}

}  // namespace msci
