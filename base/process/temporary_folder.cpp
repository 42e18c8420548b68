#include "base/process/temporary_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "msci-worker-";
constexpr std::string_view new_prefix = "msci-new-";  // until it is locked

Fd open_folder(const fs::path& path) {
  return Fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
}

bool lock(const Fd& folder) { return ::flock(folder.get(), LOCK_EX | LOCK_NB) == 0; }

bool is_mine(const Fd& folder, std::chrono::seconds age) {
  struct stat status = {};
  return ::fstat(folder.get(), &status) == 0 && status.st_uid == ::getuid() &&
         ::time(nullptr) - status.st_mtime >= age.count();
}

// Removes what owners left behind that were killed.
void sweep(const fs::path& where) {
  constexpr std::chrono::minutes made_long_ago(1);
  std::error_code ignored;  // what cannot be removed now is left for the next time
  std::error_code problem;
  for (fs::directory_iterator entry(where, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const auto name = entry->path().filename().string();
    const bool is_new = name.starts_with(new_prefix);
    if (!is_new && !name.starts_with(prefix)) continue;
    const auto folder = open_folder(entry->path());
    const auto age = is_new ? std::chrono::seconds(made_long_ago) : std::chrono::seconds(0);
    if (folder && is_mine(folder, age) && lock(folder)) fs::remove_all(entry->path(), ignored);
  }
}

// The folders of this process, which it removes when SIGTERM, SIGINT or SIGHUP ends it. A handler
// may not remove folders, so it wakes a thread that does, and that ends the process by the signal.
class OwnFolders {
 public:
  static OwnFolders& get() {
    static auto* folders = new OwnFolders;  // threads may use it until the process ends
    return *folders;
  }

  void add(const fs::path& path) {
    const std::lock_guard guard(mutex_);
    if (owner != ::getpid()) watch();
    paths_.push_back(path);
  }

  void drop(const fs::path& path) {
    const std::lock_guard guard(mutex_);
    std::erase(paths_, path);
  }

 private:
  static constexpr std::array signals = {SIGTERM, SIGINT, SIGHUP};
  // What the handler may use.
  static inline volatile pid_t owner = 0;  // a process that was forked has no such thread
  static inline volatile int wake = -1;

  static void handle(int number) {
    const auto saved = errno;
    const auto byte = static_cast<unsigned char>(number);
    if (owner == ::getpid() && ::write(wake, &byte, 1) == 1) {
      errno = saved;
      return;
    }
    end_by(number);
  }

  static void end_by(int number) {
    std::signal(number, SIG_DFL);
    sigset_t only;
    ::sigemptyset(&only);
    ::sigaddset(&only, number);
    ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    ::raise(number);
  }

  void watch() {
    std::array<int, 2> ends = {};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    wake = ends[1];
    owner = ::getpid();
    // The thread takes no signals: servers block these in all other threads and wait for them.
    sigset_t all, before_it;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_it);
    std::thread([this, from = ends[0]] {
      unsigned char number = 0;
      while (::read(from, &number, 1) != 1) {
      }
      remove_all();
      end_by(number);
    }).detach();
    ::pthread_sigmask(SIG_SETMASK, &before_it, nullptr);
    for (const auto number : signals) {
      struct sigaction before = {};
      if (::sigaction(number, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
      struct sigaction handler = {};
      handler.sa_handler = handle;
      handler.sa_flags = SA_RESTART;
      ::sigaction(number, &handler, nullptr);
    }
  }

  // Those who write into them may still do so.
  void remove_all() {
    const std::lock_guard guard(mutex_);
    for (const auto& path : paths_) {
      std::error_code problem;
      for (int tries = 0; tries < 100 && fs::exists(path, problem); ++tries)
        fs::remove_all(path, problem);
    }
  }

  std::mutex mutex_;
  std::vector<fs::path> paths_;
};

}  // namespace

Result<TemporaryFolder> TemporaryFolder::make() {
  std::error_code problem;
  const auto where = fs::temp_directory_path(problem);
  if (problem)
    return Error{fmt::format("no folder for temporary files: {}; set TMPDIR", problem.message())};
  sweep(where);
  auto made = (where / new_prefix).string() + "XXXXXX";
  if (!::mkdtemp(made.data()))
    return Error{fmt::format("cannot make a temporary folder in {}: {}; set TMPDIR", where.string(),
                             std::strerror(errno))};
  auto folder = open_folder(made);
  if (!folder || !lock(folder)) return Error{fmt::format("cannot lock {}", made)};
  auto path = (where / prefix).string() + made.substr(made.size() - 6);
  fs::rename(made, path, problem);
  if (problem) return Error{fmt::format("cannot rename {}: {}", made, problem.message())};
  OwnFolders::get().add(path);
  return TemporaryFolder(path, std::move(folder));
}

TemporaryFolder::~TemporaryFolder() {
  if (!lock_) return;  // moved from
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  OwnFolders::get().drop(path_);
}

}  // namespace msci
