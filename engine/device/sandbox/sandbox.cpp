#include "engine/device/sandbox/sandbox.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <sstream>

#include "base/process/channel.h"
#include "base/process/memory_size.h"
#include "engine/device/gpu_files.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// Drivers for processors keep the private arrays of a whole threadgroup on a thread's stack.
constexpr std::size_t stack_bytes = std::size_t{64} << 20;
// Processes and threads of this user, so that a kernel cannot start them without end. (The limit
// does not hold for root.)
constexpr rlim_t most_processes = 8192;
constexpr rlim_t most_file_bytes = rlim_t{1} << 30;

void set_limit(__rlimit_resource which, rlim_t most) {
  rlimit limit = {};
  if (::getrlimit(which, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max = std::min(most, limit.rlim_max);
  ::setrlimit(which, &limit);
}

void enlarge_stacks() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

// As the kernel reads it; Debian 12's header ends with the first field.
struct Ruleset {
  std::uint64_t files = 0;    // from version 1
  std::uint64_t network = 0;  // 4
  std::uint64_t scopes = 0;   // 6
};
constexpr std::uint64_t all_scopes = 3;  // abstract sockets and signals stay among themselves

constexpr std::uint64_t reading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t of_files =  // the rest is for folders alone
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;

std::uint64_t everything(int version) {
  std::uint64_t rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
  if (version >= 2) rights |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) rights |= std::uint64_t{1} << 14;  // to truncate
  return rights;
}

// The kernel's version of Landlock; 0 or less: it has none.
int landlock_version() {
  return static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

// Does nothing for a path that does not exist.
void allow(const Fd& ruleset, const fs::path& path, std::uint64_t rights) {
  const Fd place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status = {};
  if (place.get() < 0 || ::fstat(place.get(), &status) != 0) return;
  landlock_path_beneath_attr rule = {};
  rule.allowed_access = S_ISDIR(status.st_mode) ? rights : rights & of_files;
  rule.parent_fd = place.get();
  ::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

// The folders of drivers and of what they load: the system's, and those in the environment.
std::vector<fs::path> driver_folders() {
  std::vector<fs::path> places = {"/usr",
                                  "/lib",
                                  "/lib64",
                                  "/bin",
                                  "/opt",
                                  "/sys",
                                  "/run/opengl-driver",
                                  "/nix/store",
                                  "/etc/OpenCL",
                                  "/etc/nvidia",
                                  "/etc/ld.so.cache",
                                  "/etc/localtime"};
  for (const auto* file : {"self", "cpuinfo", "meminfo", "stat", "version", "modules", "devices",
                           "driver", "filesystems", "sys"})  // but no other process's folder
    places.emplace_back(fs::path("/proc") / file);
  for (const auto* name :
       {"LD_LIBRARY_PATH", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES"})
    if (const char* value = std::getenv(name)) {
      std::stringstream list(value);
      for (std::string place; std::getline(list, place, ':');) places.emplace_back(place);
    }
  std::error_code problem;
  const auto self = fs::read_symlink("/proc/self/exe", problem);
  if (!problem) places.push_back(self.parent_path());
  return places;
}

// The devices of drivers. Others, such as /dev/kmsg or /dev/net/tun, reach the system.
std::vector<fs::path> driver_devices() {
  std::vector<fs::path> places = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                  "/dev/urandom"};
  for (auto& device : gpu_files()) places.push_back(std::move(device));
  return places;
}

std::vector<fs::path> visible_places() {
  auto places = driver_folders();
  for (auto& device : driver_devices()) places.push_back(std::move(device));
  return places;
}

// False: this system cannot.
bool forbid_files(const fs::path& folder) {
  const int version = landlock_version();
  if (version < 1) return false;
  const Ruleset rules{.files = everything(version), .scopes = version >= 6 ? all_scopes : 0};
  const std::size_t known = version >= 6   ? sizeof rules
                            : version >= 4 ? offsetof(Ruleset, scopes)
                                           : offsetof(Ruleset, network);
  const Fd ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, known, 0)));
  if (ruleset.get() < 0) return false;
  for (const auto& place : driver_folders()) allow(ruleset, place, reading);
  for (const auto& place : driver_devices())
    allow(ruleset, place, reading | LANDLOCK_ACCESS_FS_WRITE_FILE);
  allow(ruleset, "/dev", LANDLOCK_ACCESS_FS_READ_DIR);
  allow(ruleset, folder, everything(version));
  return ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0;
}

}  // namespace

Confinement restrict_process(const fs::path& folder, Layers layers) {
  Confinement confinement;
  const auto holds = [&](std::string layer) {
    confinement.layers.push_back(std::move(layer));
    return true;
  };
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (layers.namespaces && enter_namespaces(visible_places(), folder)) holds("namespaces");
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_NPROC, most_processes);
  set_limit(RLIMIT_FSIZE, most_file_bytes);
  enlarge_stacks();
  auto& unsandboxed = confinement.unsandboxed;
  if (!(layers.landlock && forbid_files(folder) && holds("Landlock")))
    unsandboxed.emplace_back("the file system (no Landlock)");
  else if (landlock_version() < 3)
    unsandboxed.emplace_back("the lengths of files (Landlock before its version 3)");
  if (!(layers.seccomp && forbid_other_calls() && holds("seccomp")))
    unsandboxed.emplace_back("the network and other processes (no seccomp)");
  return confinement;
}

void limit_memory(std::size_t bytes) {
  if (const auto now = address_space_in_use()) set_limit(RLIMIT_AS, *now + bytes);
  // Of what was reserved before, too, once it is accessible.
  if (const auto now = data_in_use()) set_limit(RLIMIT_DATA, *now + bytes);
}

}  // namespace msci
