#include "base/process/run_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <list>
#include <optional>

#include "base/io/descriptor.h"
#include "base/io/poll_loop.h"

namespace msci {
namespace {

using Clock = PollLoop::Clock;

// A file in memory that holds the input: unlike a pipe it never blocks its writer.
Fd input_file(std::string_view text) {
  Fd file(::memfd_create("msci-input", MFD_CLOEXEC));
  if (file && (!write_all(file.get(), text) || ::lseek(file.get(), 0, SEEK_SET) != 0)) return Fd();
  return file;
}

// One output stream of a program: what it wrote, up to a limit.
class OutputStream {
 public:
  // The end that the program writes to; the other end stays here.
  Fd open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return Fd();
    pipe_ = Fd(ends[0]);
    ::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
    return Fd(ends[1]);
  }

  void watch(PollLoop& loop, std::size_t limit) {
    if (pipe_) loop.watch(pipe_.get(), POLLIN, [this, limit] { read(limit); });
  }

  // Reads what the pipe still holds. A process outside of the program's group may keep writing, so
  // this stops after one pipe full.
  void drain(std::size_t limit) {
    const auto capacity = pipe_ ? ::fcntl(pipe_.get(), F_GETPIPE_SZ) : 0;
    for (std::size_t left = static_cast<std::size_t>(std::max(capacity, 0)); left > 0;) {
      const auto got = read(limit);
      if (got == 0) break;
      left -= std::min(left, got);
    }
    pipe_ = Fd();
  }

  std::string take() { return std::move(text_); }
  bool truncated() const { return truncated_; }

 private:
  // How many bytes there were.
  std::size_t read(std::size_t limit) {
    const auto before = text_.size();
    if (!read_available(pipe_.get(), text_)) pipe_ = Fd();
    const auto got = text_.size() - before;
    truncated_ = truncated_ || text_.size() > limit;
    text_.resize(std::min(text_.size(), limit));
    return got;
  }

  Fd pipe_;  // none: the program closed its end
  std::string text_;
  bool truncated_ = false;
};

class RunningCommand {
 public:
  static std::optional<Error> start(std::list<RunningCommand>& running, std::size_t number,
                                    std::size_t slot, const Command& command) {
    auto& added = running.emplace_back();
    added.number_ = number;
    added.slot_ = slot;
    auto error = added.start(command);
    if (error) running.pop_back();
    return error;
  }

  std::size_t number() const { return number_; }
  std::size_t slot() const { return slot_; }
  Clock::time_point deadline() const { return deadline_; }
  bool is_over() const { return ended_ || Clock::now() >= deadline_; }

  void watch(PollLoop& loop) {
    loop.watch(process_->descriptor(), POLLIN, [this] { ended_ = true; });
    out_.watch(loop, output_limit_);
    err_.watch(loop, output_limit_);
  }

  // Kills what is left of its group.
  CommandResult finish() {
    CommandResult result{.exit = process_->kill(), .timed_out = !ended_};
    out_.drain(output_limit_);
    err_.drain(output_limit_);
    result.truncated = out_.truncated() || err_.truncated();
    result.out = out_.take();
    result.err = err_.take();
    result.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return result;
  }

 private:
  std::optional<Error> start(const Command& command) {
    const auto in = input_file(command.input);
    const auto out = out_.open();
    const auto err = err_.open();
    const auto& program = command.arguments.front();
    if (!in || !out || !err)
      return Error{fmt::format("cannot start {}: {}", program, std::strerror(errno))};
    auto process = ChildProcess::start({.arguments = command.arguments,
                                        .environment = command.environment,
                                        .folder = command.folder,
                                        .descriptors = {in.get(), out.get(), err.get()},
                                        .own_group = command.own_group});
    if (!process) return process.error();
    if (process->descriptor() < 0)
      return Error{fmt::format(
          "cannot wait for {}: too many files are open, or Linux is older than 5.3", program)};
    process_ = *std::move(process);
    output_limit_ = command.output_limit;
    start_ = Clock::now();
    deadline_ = start_ + command.time_limit;
    return std::nullopt;
  }

  std::size_t number_ = 0;
  std::size_t slot_ = 0;
  std::size_t output_limit_ = 0;
  std::optional<ChildProcess> process_;
  OutputStream out_;
  OutputStream err_;
  Clock::time_point start_;
  Clock::time_point deadline_;
  bool ended_ = false;
};

// The commands that run now, one in each slot.
class CommandPool {
 public:
  explicit CommandPool(std::size_t slots) : taken_(slots, false) {}

  bool is_full() const { return running_.size() == taken_.size(); }
  bool is_empty() const { return running_.empty(); }

  std::optional<Error> add(std::size_t number, const CommandAt& command_at) {
    const auto free = std::find(taken_.begin(), taken_.end(), false);
    const auto slot = static_cast<std::size_t>(free - taken_.begin());
    auto error = RunningCommand::start(running_, number, slot, command_at(number, slot));
    if (!error) *free = true;
    return error;
  }

  // Waits until a command ends, writes something or reaches its time limit; reports those that are
  // over.
  std::optional<Error> wait(const OnCommandResult& on_result) {
    PollLoop loop;
    for (auto& each : running_) {
      each.watch(loop);
      loop.wake_at(each.deadline());
    }
    if (auto error = loop.wait()) return error;
    for (auto each = running_.begin(); each != running_.end();) {
      if (!each->is_over()) {
        ++each;
        continue;
      }
      const auto number = each->number();
      auto result = each->finish();
      taken_[each->slot()] = false;
      each = running_.erase(each);
      if (auto error = on_result(number, std::move(result))) return error;
    }
    return std::nullopt;
  }

 private:
  std::vector<bool> taken_;
  std::list<RunningCommand> running_;
};

}  // namespace

std::string shell_quoted(std::string_view word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::vector<std::string> shell_arguments(const std::string& line,
                                         const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"/bin/sh", "-c", line, "sh"};
  if (!arguments.empty()) all[2] += " \"$@\"";
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

std::optional<Error> run_commands(std::size_t count, std::size_t slots, const CommandAt& command_at,
                                  const OnCommandResult& on_result) {
  CommandPool pool(slots);
  for (std::size_t next = 0; next < count || !pool.is_empty();) {
    for (; next < count && !pool.is_full(); ++next)
      if (auto error = pool.add(next, command_at)) return error;
    if (auto error = pool.wait(on_result)) return error;
  }
  return std::nullopt;
}

Result<CommandResult> run_command(const Command& command) {
  CommandResult result;
  const auto error = run_commands(
      1, 1, [&](auto, auto) { return command; },
      [&](auto, CommandResult ended) -> std::optional<Error> {
        result = std::move(ended);
        return std::nullopt;
      });
  if (error) return *error;
  return result;
}

}  // namespace msci
