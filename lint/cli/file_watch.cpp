#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "lint/cli/options.h"
#include "lint/config.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr int pause_ms = 50;
constexpr std::uint32_t changes =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB;

bool is_always_watched(std::string_view name) {
  return name.ends_with(".metal") || name == config_name || name == "compile_commands.json" ||
         name == ".gitignore";
}

// A new file matters when it is closed: until then its text is not whole. A new link has all of it.
bool is_new_link(const fs::path& path) {
  std::error_code none;
  return fs::is_symlink(path, none) || fs::hard_link_count(path, none) > 1;
}

}  // namespace

Result<FileWatch> FileWatch::open() {
  Fd inotify(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (inotify.get() < 0) return Error{fmt::format("cannot watch files: {}", std::strerror(errno))};
  return FileWatch(std::move(inotify));
}

void FileWatch::add(const std::string& path) {
  std::error_code none;
  const auto whole = fs::absolute(path, none).lexically_normal();
  const bool is_folder = fs::is_directory(whole, none);
  if (!is_folder) names_.insert(whole.filename().string());
  auto folder = is_folder ? whole : whole.parent_path();
  const int number = ::inotify_add_watch(inotify_.get(), folder.c_str(), changes);
  if (number >= 0) folders_.emplace(number, std::move(folder));
}

bool FileWatch::read_events() {
  alignas(inotify_event) std::array<char, 1 << 14> buffer;
  bool matters = false;
  while (true) {
    const auto size = ::read(inotify_.get(), buffer.data(), buffer.size());
    if (size <= 0) return matters;
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      const auto* event = reinterpret_cast<const inotify_event*>(&buffer[at]);
      const std::string name = event->len > 0 ? event->name : "";
      const bool is_whole =
          (event->mask & IN_CREATE) == 0 || is_new_link(folders_[event->wd] / name);
      matters |= (event->mask & IN_Q_OVERFLOW) != 0 ||
                 (is_whole && (is_always_watched(name) || names_.contains(name)));
      at += sizeof *event + event->len;
    }
  }
}

bool FileWatch::wait(const std::function<void()>& announce) {
  sigset_t signals;
  sigset_t before;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  const Fd ends(::signalfd(-1, &signals, SFD_CLOEXEC));
  announce();
  std::array polled = {pollfd{inotify_.get(), POLLIN, 0}, pollfd{ends.get(), POLLIN, 0}};
  bool has_changed = false;
  while (true) {
    const int ready = ::poll(polled.data(), polled.size(), has_changed ? pause_ms : -1);
    if (ready > 0 && polled[1].revents != 0) return false;  // the signals stay blocked: it ends
    if (ready == 0) break;
    if (ready > 0 && read_events()) has_changed = true;
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return true;
}

}  // namespace msci
