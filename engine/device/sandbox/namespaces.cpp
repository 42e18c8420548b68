#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "base/process/fd.h"
#include "engine/device/sandbox/sandbox.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr unsigned long all_namespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC |
                                         CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWCGROUP;

bool is_mounted(const char* source, const fs::path& place, const char* type, unsigned long flags) {
  return ::mount(source, place.c_str(), type, flags, nullptr) == 0;
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

// What is shown of the file system: places without links on their way, none inside another, and
// the links that lead to them.
struct View {
  std::vector<fs::path> places;
  std::vector<std::pair<fs::path, fs::path>> links;  // from, to

  bool shows(const fs::path& path) const {
    return std::ranges::any_of(places, [&](const auto& place) { return lies_in(path, place); });
  }
};

// The processes' folder is shown anew.
View view_of(std::span<const fs::path> visible) {
  View view;
  std::vector<fs::path> real;
  for (const auto& path : visible) {
    std::error_code problem;
    const auto place = fs::canonical(path, problem);
    if (problem || lies_in(place, "/proc")) continue;
    real.push_back(place);
    if (place != path) view.links.emplace_back(path.lexically_normal(), place);
  }
  std::ranges::sort(real);
  for (auto& place : real)
    if (!view.shows(place)) view.places.push_back(std::move(place));
  std::erase_if(view.links, [&](const auto& link) { return view.shows(link.first); });
  return view;
}

// The new root is made below /new while the old one lies at /old.
fs::path below(const char* root, const fs::path& path) { return root / path.relative_path(); }

bool make_place(const fs::path& path, bool is_folder) {
  std::error_code problem;
  fs::create_directories(is_folder ? path : path.parent_path(), problem);
  if (problem || is_folder) return !problem;
  return Fd(::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0444)).get() >= 0;
}

// A user namespace may add restrictions to those of a mount, and take none away.
bool make_read_only(const fs::path& path) {
  struct statvfs status = {};
  if (::statvfs(path.c_str(), &status) != 0) return false;
  unsigned long flags = MS_REMOUNT | MS_BIND | MS_RDONLY;
  for (const auto& [has, keeps] :
       std::array<std::array<unsigned long, 2>, 6>{{{ST_NOSUID, MS_NOSUID},
                                                    {ST_NODEV, MS_NODEV},
                                                    {ST_NOEXEC, MS_NOEXEC},
                                                    {ST_NOATIME, MS_NOATIME},
                                                    {ST_NODIRATIME, MS_NODIRATIME},
                                                    {ST_RELATIME, MS_RELATIME}}})
    if (status.f_flag & has) flags |= keeps;
  return is_mounted(nullptr, path, nullptr, flags);
}

bool show(const fs::path& place, bool writable) {
  const auto shown = below("/new", place), real = below("/old", place);
  return make_place(shown, fs::is_directory(real)) &&
         is_mounted(real.c_str(), shown, nullptr, MS_BIND | MS_REC) &&
         (writable || make_read_only(shown));
}

bool make_link(const fs::path& from, const fs::path& to) {
  const auto shown = below("/new", from);
  return make_place(shown.parent_path(), true) && ::symlink(to.c_str(), shown.c_str()) == 0;
}

// A view of the processes of this namespace; a system that hides a part of the old one refuses it.
bool show_processes() {
  return make_place("/new/proc", true) &&
         (is_mounted("proc", "/new/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC) ||
          is_mounted("/old/proc", "/new/proc", nullptr, MS_BIND | MS_REC));
}

bool change_root(const fs::path& root, const fs::path& old) {
  return ::syscall(SYS_pivot_root, root.c_str(), old.c_str()) == 0 && ::chdir("/") == 0;
}

bool make_root(const View& view, const fs::path& folder) {
  const auto base = folder.parent_path();
  if (!is_mounted(nullptr, "/", nullptr, MS_SLAVE | MS_REC) ||
      !is_mounted("tmpfs", base, "tmpfs", MS_NOSUID | MS_NODEV))
    return false;
  if (!make_place(base / "old", true) || !make_place(base / "new", true)) return false;
  if (!change_root(base, base / "old") || !is_mounted("/new", "/new", nullptr, MS_BIND))
    return false;
  const auto is_shown = [](const fs::path& place) { return show(place, lies_in(place, "/dev")); };
  const auto is_made = [](const auto& link) { return make_link(link.first, link.second); };
  return std::ranges::all_of(view.places, is_shown) && std::ranges::all_of(view.links, is_made) &&
         show_processes() && show(folder, true) && make_place("/new/.old", true) &&
         change_root("/new", "/new/.old") && ::umount2("/.old", MNT_DETACH) == 0 &&
         ::rmdir("/.old") == 0 && make_read_only("/");
}

bool is_written(const char* file, const std::string& text) {
  const Fd fd(::open(file, O_WRONLY | O_CLOEXEC));
  return ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// The same user, who has no rights over what belongs to others.
bool keep_user(uid_t user, gid_t group) {
  const auto map = [](auto id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
  return is_written("/proc/self/setgroups", "deny") &&
         is_written("/proc/self/uid_map", map(user)) &&
         is_written("/proc/self/gid_map", map(group));
}

void drop_capabilities() {
  for (int capability = 0; ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; ++capability) {
  }
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const std::array<__user_cap_data_struct, 2> none = {};
  ::syscall(SYS_capset, &header, none.data());
}

// Process 1 of the namespace, whose end is the end of all others: waits for the one that goes on,
// and says how it ended.
[[noreturn]] void wait_as_init(pid_t program, const Fd& report) {
  int status = 0;
  for (pid_t ended = 0; ended != program;) ended = ::waitpid(-1, &status, 0);
  const bool said = ::write(report.get(), &status, sizeof status) == sizeof status;
  ::_exit(said ? 0 : 1);
}

// What the first process tells the one that stays behind, before it tells how the program ended.
enum class Entered : char { no = 'n', yes = 'y' };

// Returns in the program's process, or where this system refuses.
bool begin_as_init(const View& view, const fs::path& folder, uid_t user, gid_t group,
                   const Fd& report) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const bool entered = keep_user(user, group) && make_root(view, folder);
  const auto said = entered ? Entered::yes : Entered::no;
  if (::write(report.get(), &said, 1) != 1 || !entered) ::_exit(0);
  const auto program = ::fork();
  if (program < 0) ::_exit(1);
  if (program > 0) wait_as_init(program, report);
  drop_capabilities();
  return true;
}

[[noreturn]] void end_as(int status) {
  if (!WIFSIGNALED(status)) ::_exit(WEXITSTATUS(status));
  ::signal(WTERMSIG(status), SIG_DFL);
  ::kill(::getpid(), WTERMSIG(status));
  ::_exit(1);
}

// The init process was killed if it says nothing: with all others, and not by a fault of its own.
[[noreturn]] void end_as_the_program(pid_t init, const Fd& report) {
  int status = SIGKILL;
  if (::read(report.get(), &status, sizeof status) != sizeof status) status = SIGKILL;
  while (::waitpid(init, nullptr, 0) < 0 && errno == EINTR) {
  }
  end_as(status);
}

}  // namespace

bool enter_namespaces(std::span<const fs::path> visible, const fs::path& folder) {
  const auto view = view_of(visible);
  std::error_code problem;
  const auto own = fs::canonical(folder, problem);
  int ends[2];
  if (problem || ::pipe2(ends, O_CLOEXEC) != 0) return false;
  Fd report(ends[0]), reporter(ends[1]);
  const auto user = ::geteuid();
  const auto group = ::getegid();
  const auto init = static_cast<pid_t>(
      ::syscall(SYS_clone, all_namespaces | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  if (init < 0) return false;
  if (init == 0) return begin_as_init(view, own, user, group, reporter);
  reporter = Fd();
  auto said = Entered::no;
  if (::read(report.get(), &said, 1) == 1 && said == Entered::yes) end_as_the_program(init, report);
  ::waitpid(init, nullptr, 0);
  return false;
}

}  // namespace msci
