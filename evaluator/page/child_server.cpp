#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "evaluator/page/clients.h"

namespace msci {

Result<ChildServer> ChildServer::start(const std::vector<std::string>& arguments) {
  int to[2];
  int from[2];
  if (::pipe2(to, O_CLOEXEC) != 0)
    return Error{fmt::format("cannot open a pipe: {}", std::strerror(errno))};
  Fd reads(to[0]);
  Fd writes(to[1]);
  if (::pipe2(from, O_CLOEXEC) != 0)
    return Error{fmt::format("cannot open a pipe: {}", std::strerror(errno))};
  Fd answers(from[0]);
  Fd says(from[1]);
  auto process = ChildProcess::start(
      {.arguments = arguments, .descriptors = {reads.get(), says.get(), STDERR_FILENO}});
  if (!process) return process.error();
  ::fcntl(writes.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(answers.get(), F_SETFL, O_NONBLOCK);
  return ChildServer(*std::move(process), std::move(writes), std::move(answers));
}

ChildServer::ChildServer(ChildProcess process, Fd to, Fd from)
    : process_(std::move(process)), to_(std::move(to)), from_(std::move(from)), input_(to_.get()) {}

void ChildServer::watch(PollLoop& loop, std::function<void()> read) {
  if (!input_.empty() && !input_.broken())
    loop.watch(input_.descriptor(), POLLOUT, [this] { input_.write_available(); });
  // Comes last, because a reader may end this server.
  loop.watch(output(), POLLIN, std::move(read));
}

void ChildServer::ask_to_end() { process_.ask_to_end(); }

void ChildServer::end(PollLoop::Clock::time_point deadline) {
  process_.wait_for(
      std::chrono::ceil<std::chrono::milliseconds>(deadline - PollLoop::Clock::now()));
}

}  // namespace msci
