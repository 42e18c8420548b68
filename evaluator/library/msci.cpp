#include "evaluator/library/msci.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "lint/metal/result.h"

namespace msci {
namespace {

// A file without a name, in memory: unlike a pipe it never fills up, so nobody has to empty it
// while a program runs.
class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("msci", MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  int fd() const { return fd_; }

  // Whether all of `text` could be put in, to be read from its start.
  bool fill(std::string_view text) const {
    while (!text.empty()) {
      const auto written = ::write(fd_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return ::lseek(fd_, 0, SEEK_SET) == 0;
  }

  std::string contents() const {
    std::string text;
    char chunk[1 << 16];
    for (off_t offset = 0;;) {
      const auto got = ::pread(fd_, chunk, sizeof chunk, offset);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return text;
      text.append(chunk, static_cast<std::size_t>(got));
      offset += got;
    }
  }

 private:
  int fd_;
};

// A program and its words; how it ended, and what it said.
using Words = std::vector<std::string>;
struct Ended {
  int status = 0;  // as of waitpid
  std::string out;
  std::string err;
};

// How a program starts: with the three files as its streams, and with signals as a shell would have
// left them, whatever the caller blocks or ignores.
class Start {
 public:
  Start(const MemoryFile& in, const MemoryFile& out, const MemoryFile& err) {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_adddup2(&files_, in.fd(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&files_, out.fd(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files_, err.fd(), STDERR_FILENO);
    ::posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;
  ~Start() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  // 0, or an errno.
  int operator()(pid_t& process, Words words) const {
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return ::posix_spawn(&process, pointers[0], &files_, &attributes_, pointers.data(), environ);
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

Error system_error(const std::string& doing, int code) {
  return Error{"cannot " + doing + ": " + std::strerror(code)};
}

Result<Ended> run(const Words& words, std::string_view input) {
  const MemoryFile in, out, err;
  if (in.fd() < 0 || out.fd() < 0 || err.fd() < 0)
    return system_error("make a file in memory", errno);
  if (!in.fill(input)) return system_error("hand the source over", errno);
  pid_t process = 0;
  if (const int code = Start(in, out, err)(process, words))
    return system_error("start " + words.front(), code);
  Ended ended;
  while (::waitpid(process, &ended.status, 0) < 0)
    if (errno != EINTR) return system_error("learn how " + words.front() + " ended", errno);
  ended.out = out.contents();
  ended.err = err.contents();
  return ended;
}

// Where an installation, and a build, keep the programs: at a fixed place beside this library.
Result<std::string> program_path(const char* name) {
  Dl_info self{};
  if (!::dladdr(reinterpret_cast<const void*>(&msci_version), &self) || !self.dli_fname)
    return Error{"the system does not say where libmsci was loaded from"};
  std::error_code problem;
  const auto library = std::filesystem::canonical(self.dli_fname, problem);
  if (problem) return Error{std::string(self.dli_fname) + ": " + problem.message()};
  const auto path = (library.parent_path() / MSCI_BIN_FROM_LIB / name).lexically_normal();
  if (::access(path.c_str(), X_OK) != 0) return system_error("start " + path.string(), errno);
  return path.string();
}

// A program is named by its path, which callers need not see again: "msci-lint: no file given".
Result<std::string> answer_of(const Ended& ended, const char* name) {
  if (WIFSIGNALED(ended.status))
    return Error{std::string(name) + " was ended by signal " +
                 std::to_string(WTERMSIG(ended.status))};
  if (WEXITSTATUS(ended.status) > MSCI_NOT_FINE)
    return Error{ended.err.empty() ? std::string(name) + " ended without a word" : ended.err};
  if (!ended.out.starts_with('{'))
    return Error{std::string(name) + " was asked for something other than a report"};
  return ended.out;
}

struct Answer {
  msci_status status = MSCI_COULD_NOT_CHECK;
  std::string text;
};

Answer ask(const char* name, const Words& words, std::string_view input) {
  const auto program = program_path(name);
  if (!program) return {.text = program.error().message};
  Words all{*program};
  all.insert(all.end(), words.begin(), words.end());
  const auto ended = run(all, input);
  if (!ended) return {.text = ended.error().message};
  const auto text = answer_of(*ended, name);
  if (!text) return {.text = text.error().message};
  if (!ended->err.empty() && ::write(STDERR_FILENO, ended->err.data(), ended->err.size()) < 0)
    return {.text = "the caller's standard error is closed to: " + ended->err};
  return {static_cast<msci_status>(WEXITSTATUS(ended->status)), *text};
}

Words with(Words words, const char* const* options) {
  for (; options && *options; ++options) words.emplace_back(*options);
  return words;
}

msci_status hand_over(const Answer& answer, char** out) {
  *out = ::strdup(answer.text.c_str());
  return *out ? answer.status : MSCI_COULD_NOT_CHECK;
}

// The border to callers that know no exceptions; the standard library throws where memory ends.
template <typename Ask>
msci_status answered(char** out, Ask ask_program) noexcept {
  *out = nullptr;
  try {
    return hand_over(ask_program(), out);
  } catch (const std::bad_alloc&) {
    return MSCI_COULD_NOT_CHECK;
  }
}

}  // namespace
}  // namespace msci

msci_status msci_lint(const char* source, size_t size, const char* const* options, char** answer) {
  return msci::answered(answer, [&] {
    return msci::ask("msci-lint", msci::with({"-", "--json"}, options), {source, size});
  });
}

msci_status msci_evaluate(const char* source, size_t size, const char* const* options,
                          char** answer) {
  return msci::answered(answer, [&] {
    return msci::ask("msci-eval", msci::with({"-", "--json"}, options), {source, size});
  });
}

msci_status msci_list_tasks(char** answer) {
  return msci::answered(answer, [] { return msci::ask("msci-tasks", {"list", "--json"}, {}); });
}

const char* msci_version(void) { return MSCI_VERSION; }

void msci_free(char* answer) { std::free(answer); }
