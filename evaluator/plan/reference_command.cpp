#include "evaluator/plan/reference_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/process/channel.h"
#include "evaluator/plan/buffer_contents.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr int cannot_start = 127;

// Becomes the command; runs between fork and exec, so it may only make system calls.
[[noreturn]] void become(char** arguments, const char* folder, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent died before prctl()
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);  // our standard output is for reports
  if (::chdir(folder) == 0) ::execvp(arguments[0], arguments);
  ::_exit(cannot_start);
}

// The wait status, or nothing if the process took too long and was killed.
std::optional<int> wait_for(pid_t pid, std::chrono::milliseconds limit) {
  const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  pollfd wait = {.fd = process.get(), .events = POLLIN, .revents = 0};
  const auto end = std::chrono::steady_clock::now() + limit;
  int ready = 0;
  do {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    ready = ::poll(&wait, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
  } while (ready < 0 && errno == EINTR);
  if (ready <= 0) ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return ready > 0 ? std::optional(status) : std::nullopt;
}

std::optional<Error> run(const ReferenceCommand& command) {
  auto words = command.words;
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const auto folder = command.working_folder.empty() ? fs::path(".") : command.working_folder;
  const auto parent = ::getpid();
  const auto pid = ::fork();
  if (pid < 0) return Error{fmt::format("cannot start it: {}", std::strerror(errno))};
  if (pid == 0) become(arguments.data(), folder.c_str(), parent);
  ::setpgid(pid, pid);  // the child does so too; whichever is first

  const auto& name = words.front();
  const auto status = wait_for(pid, command.limit);
  if (!status)
    return Error{fmt::format("'{}' took more than {:g} s at size {}", name,
                             std::chrono::duration<double>(command.limit).count(), command.size)};
  if (WIFSIGNALED(*status))
    return Error{
        fmt::format("'{}' died of signal {} at size {}", name, WTERMSIG(*status), command.size)};
  if (WEXITSTATUS(*status) == cannot_start) return Error{fmt::format("cannot start '{}'", name)};
  if (WEXITSTATUS(*status) != 0)
    return Error{fmt::format("'{}' ended with status {} at size {}", name, WEXITSTATUS(*status),
                             command.size)};
  return std::nullopt;
}

Result<Bytes> read_output(const ReferenceCommand& command, const ReferenceOutput& output) {
  const auto path = command.data_folder / (output.name + ".out");
  std::error_code problem;
  if (!fs::exists(path, problem))
    return Error{fmt::format("it did not write {}.out at size {}", output.name, command.size)};
  auto contents = read_bytes(path);
  if (!contents) return contents.error();
  if (contents->size() != output.bytes)
    return Error{fmt::format("it wrote {} bytes to {}.out at size {}; the buffer has {}",
                             contents->size(), output.name, command.size, output.bytes)};
  return Bytes{*std::move(contents)};
}

}  // namespace

Result<std::vector<Bytes>> run_reference(const ReferenceCommand& command,
                                         std::span<const ReferenceInput> inputs,
                                         std::span<const ReferenceOutput> outputs) {
  for (const auto& input : inputs)
    std::ofstream(command.data_folder / (input.name + ".bin"), std::ios::binary)
        .write(reinterpret_cast<const char*>(input.contents.data()),
               static_cast<std::streamsize>(input.contents.size()));
  if (auto error = run(command)) return *error;
  std::vector<Bytes> results;
  for (const auto& output : outputs) {
    auto result = read_output(command, output);
    if (!result) return result.error();
    results.push_back(*std::move(result));
  }
  return results;
}

}  // namespace msci
