#include "evaluator/search/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "evaluator/device/channel.h"

namespace msci::search {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_output = std::size_t{16} << 20;

Error cannot_start(const Command& command) {
  return {fmt::format("cannot start {}: {}", command.words.front(), std::strerror(errno))};
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// A file in memory that a program reads, or writes its output to. Unlike a pipe it never makes
// anybody wait, and no grandchild that lives on can keep it open for us.
Fd stream(std::string_view contents = {}) {
  Fd file(::memfd_create("msci-search", MFD_CLOEXEC));
  if (file && (!write_all(file.get(), contents) || ::lseek(file.get(), 0, SEEK_SET) != 0))
    return Fd();
  return file;
}

std::string contents_of(const Fd& file) {
  std::string text;
  char chunk[1 << 16];
  while (text.size() < most_output) {
    const auto got = ::pread(file.get(), chunk, sizeof chunk, static_cast<off_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(chunk, static_cast<std::size_t>(got));
  }
  return text;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// A program at work.
struct Running {
  std::size_t job = 0;
  std::size_t slot = 0;
  pid_t process = 0;
  Fd ends;  // readable once the process has ended
  Fd out;
  Fd err;
  Clock::time_point start;
  Clock::time_point deadline;
};

// What the child needs, ready before the fork: behind it only system calls are allowed.
struct Exec {
  char** words;
  char** environment;
  const char* folder;
  int in;
  int out;
  int err;
  pid_t parent;
};

[[noreturn]] void become(const Exec& exec) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != exec.parent) ::_exit(127);  // it died before it could tell us
  ::dup2(exec.in, STDIN_FILENO);
  ::dup2(exec.out, STDOUT_FILENO);
  ::dup2(exec.err, STDERR_FILENO);
  if (*exec.folder && ::chdir(exec.folder) != 0) ::_exit(127);
  ::execvpe(exec.words[0], exec.words, exec.environment);
  ::_exit(127);
}

Result<Running> start(Command command) {
  Running running{.out = stream(), .err = stream()};
  const auto in = stream(command.input);
  if (!in || !running.out || !running.err) return cannot_start(command);
  for (char** each = environ; *each; ++each) command.environment.emplace_back(*each);
  auto words = pointers_to(command.words);
  auto environment = pointers_to(command.environment);
  const Exec exec{words.data(), environment.data(), command.folder.c_str(),
                  in.get(),     running.out.get(),  running.err.get(),
                  ::getpid()};
  running.process = ::fork();
  if (running.process < 0) return cannot_start(command);
  if (running.process == 0) become(exec);
  ::setpgid(running.process, running.process);  // the child does so, too; whoever comes first
  // glibc 2.36 declares pidfd_open without C linkage, so the call is made by its number.
  running.ends = Fd(static_cast<int>(::syscall(SYS_pidfd_open, running.process, 0)));
  if (!running.ends) {
    const auto error = cannot_start(command);
    ::kill(-running.process, SIGKILL);
    ::waitpid(running.process, nullptr, 0);
    return error;
  }
  running.start = Clock::now();
  running.deadline = running.start + command.limit;
  return running;
}

// Ends whatever is left of its group, then takes its status.
Ended finish(Running& running, bool timed_out) {
  ::kill(-running.process, SIGKILL);
  int status = 0;
  while (::waitpid(running.process, &status, 0) < 0 && errno == EINTR) {
  }
  Ended ended{.timed_out = timed_out,
              .out = contents_of(running.out),
              .err = contents_of(running.err),
              .seconds = std::chrono::duration<double>(Clock::now() - running.start).count()};
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  if (WIFEXITED(status)) ended.status = WEXITSTATUS(status);
  return ended;
}

// Those at work; none of them outlives it.
class Crew {
 public:
  explicit Crew(std::size_t slots) : taken_(slots, false) {}
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    for (auto& each : running_) finish(each, false);
  }

  bool is_full() const { return running_.size() == taken_.size(); }
  bool is_empty() const { return running_.empty(); }

  Result<std::monostate> add(std::size_t job, const MakeCommand& command) {
    const auto free = std::find(taken_.begin(), taken_.end(), false);
    const auto slot = static_cast<std::size_t>(free - taken_.begin());
    auto running = start(command(job, slot));
    if (!running) return running.error();
    *free = true;
    running->job = job;
    running->slot = slot;
    running_.push_back(*std::move(running));
    return std::monostate();
  }

  // Waits until some have ended, or are over their time, and hands them over.
  Result<std::monostate> wait(const TakeEnded& take) {
    const auto over = poll_all();
    for (auto i = running_.size(); i-- > 0;) {
      const bool late = Clock::now() >= running_[i].deadline;
      if (!over[i] && !late) continue;
      auto ended = finish(running_[i], !over[i]);
      const auto job = running_[i].job;
      taken_[running_[i].slot] = false;
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      if (auto taken = take(job, std::move(ended)); !taken) return taken;
    }
    return std::monostate();
  }

 private:
  // Which have ended; waits for one, or for the first deadline.
  std::vector<bool> poll_all() const {
    std::vector<pollfd> waits;
    auto first = Clock::time_point::max();
    for (const auto& each : running_) {
      waits.push_back({.fd = each.ends.get(), .events = POLLIN, .revents = 0});
      first = std::min(first, each.deadline);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now()).count();
    ::poll(waits.data(), waits.size(), static_cast<int>(std::clamp<long>(left, 0, 1 << 30)));
    std::vector<bool> over;
    for (const auto& wait : waits) over.push_back(wait.revents != 0);
    return over;
  }

  std::vector<bool> taken_;
  std::vector<Running> running_;
};

// How much a line of a standard error says of what went wrong.
enum class Telling { nothing, where_help_is, something, a_program, an_error };

std::string lower(std::string_view text) {
  std::string result(text);
  for (auto& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// "Run with --help for more information.", "curl: try 'curl --help'": the line after the error.
bool points_to_help(std::string_view line) {
  constexpr std::array<std::string_view, 6> ways = {"run ", "try ", "see ",
                                                    "use ", "for ", "usage"};
  if (const auto name = line.find(": "); name < line.find(' ')) line.remove_prefix(name + 2);
  return std::any_of(ways.begin(), ways.end(), [&](auto way) { return line.starts_with(way); }) &&
         (line.starts_with("usage") || line.find("help") != std::string_view::npos);
}

// "msci-eval: no device matches": a program's name, in front of what it could not do.
bool names_a_program(std::string_view line) {
  constexpr std::array<std::string_view, 4> kinds = {"note", "info", "warning", "debug"};
  const auto name = line.substr(0, line.find(": "));
  if (name.empty() || name.size() == line.size()) return false;
  return std::find(kinds.begin(), kinds.end(), name) == kinds.end() &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::islower(c) || std::isdigit(c) ||
                  std::string_view("-_./+").find(static_cast<char>(c)) != std::string_view::npos;
         });
}

// Without a clause that ends in a colon: what it announces is on lines that are not told.
std::string_view without_announcement(std::string_view line) {
  const auto last = line.find_last_not_of(" \t\r");
  if (last == std::string_view::npos || line[last] != ':') return line;
  return line.substr(0, line.rfind(';', last));
}

Telling telling_of(std::string_view said) {
  const auto begin = said.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return Telling::nothing;
  const auto line = lower(said.substr(begin));
  if (line.starts_with("error") || line.find("error:") != std::string::npos)
    return Telling::an_error;
  if (points_to_help(line)) return Telling::where_help_is;
  return names_a_program(said) ? Telling::a_program : Telling::something;
}

// The last of the lines that say the most.
std::string telling_line(const std::string& text) {
  std::string telling;
  auto most = Telling::nothing;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const auto here = telling_of(line); here >= most && here != Telling::nothing) {
      most = here;
      telling = without_announcement(line);
    }
  return telling;
}

}  // namespace

std::vector<std::string> shell_words(const std::string& line,
                                     const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"/bin/sh", "-c", line, "sh"};
  if (!arguments.empty()) words[2] += " \"$@\"";
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

std::string complaint(const Ended& ended) {
  if (ended.timed_out) return fmt::format("it took more than {:.0f} s", ended.seconds);
  const auto said = telling_line(ended.err);
  const auto how = ended.signal ? fmt::format("it was ended by signal {} ({})", *ended.signal,
                                              ::strsignal(*ended.signal))
                                : fmt::format("it ended with status {}", ended.status);
  return said.empty() ? how : how + ": " + said;
}

Result<std::monostate> run_all(std::size_t jobs, std::size_t slots, const MakeCommand& command,
                               const TakeEnded& ended) {
  Crew crew(slots);
  for (std::size_t next = 0; next < jobs || !crew.is_empty();) {
    for (; next < jobs && !crew.is_full(); ++next)
      if (auto added = crew.add(next, command); !added) return added;
    if (auto waited = crew.wait(ended); !waited) return waited;
  }
  return std::monostate();
}

Result<Ended> run_one(const Command& command) {
  Ended result;
  auto ran = run_all(
      1, 1, [&](auto, auto) { return command; },
      [&](auto, Ended ended) -> Result<std::monostate> {
        result = std::move(ended);
        return std::monostate();
      });
  if (!ran) return ran.error();
  return result;
}

}  // namespace msci::search
