// Native code that runs where a kernel runs, and tries to reach beyond: each attack fails under all
// layers of the sandbox, and under each layer alone that its entry names. tests/attacks/page.py
// lists the table.
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/device/sandbox/sandbox.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// What an attack aims at.
struct Target {
  fs::path folder;  // with the file "secret", the folder "empty" and the program "program"
  fs::path inside;  // the worker's own
  pid_t parent = 0;

  std::string secret() const { return folder / "secret"; }
};

// The layers that stop an attack, each alone. Limits come with any of them.
enum Stopper : unsigned { limits = 0, namespaces = 1, landlock = 2, seccomp = 4 };

struct Attack {
  const char* name;
  const char* family;
  const char* what;
  unsigned stoppers;
  bool (*reaches)(const Target&);  // whether it got what it wanted
};

char aim = 0;  // at the same address in the parent

bool opens(const std::string& path, int flags) { return ::open(path.c_str(), flags, 0600) >= 0; }

// Whether the kernel went so far as to look at the arguments.
bool is_let_in(long result) {
  return result >= 0 || errno == EINVAL || errno == EFAULT || errno == EBADF || errno == ENOEXEC ||
         errno == ENOENT || errno == ENODEV;
}

bool sees_other_processes() {
  DIR* folder = ::opendir("/proc");
  int others = 0;
  while (const auto* entry = folder ? ::readdir(folder) : nullptr)
    others += std::all_of(entry->d_name, entry->d_name + std::strlen(entry->d_name), ::isdigit) &&
              std::atoi(entry->d_name) == ::getppid();
  return others > 0 && ::getppid() > 1;
}

bool makes_socket(int family, int type) { return ::socket(family, type, 0) >= 0; }

bool connects_to_a_path(const Target& target) {
  sockaddr_un address = {.sun_family = AF_UNIX};
  (target.folder / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  return ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 ||
         errno == ECONNREFUSED;
}

std::string of_parent(const Target& target, const char* file) {
  return "/proc/" + std::to_string(target.parent) + "/" + file;
}

// clang-format off: tests/attacks/page.py reads an entry a line.
const Attack attacks[] = {
    {"read_a_file", "files", "reads a file of the user", namespaces | landlock, [](const Target& t) { return opens(t.secret(), O_RDONLY); }},
    {"write_a_file", "files", "opens a file of the user to write", namespaces | landlock, [](const Target& t) { return opens(t.secret(), O_WRONLY); }},
    {"create_a_file", "files", "creates a file beside its folder", namespaces | landlock, [](const Target& t) { return opens(t.folder / "new", O_CREAT | O_WRONLY); }},
    {"remove_a_file", "files", "removes a file of the user", namespaces | landlock, [](const Target& t) { return ::unlink(t.secret().c_str()) == 0; }},
    {"rename_a_file", "files", "moves a file of the user into its folder", namespaces | landlock, [](const Target& t) { return ::rename(t.secret().c_str(), (t.inside / "mine").c_str()) == 0; }},
    {"link_to_a_file", "files", "links a file of the user into its folder", namespaces | landlock, [](const Target& t) { return ::link(t.secret().c_str(), (t.inside / "mine").c_str()) == 0; }},
    {"read_through_a_symbolic_link", "files", "reads a file of the user through a symbolic link", namespaces | landlock, [](const Target& t) { return ::symlink(t.secret().c_str(), (t.inside / "to").c_str()) == 0 && opens(t.inside / "to", O_RDONLY); }},
    {"truncate_a_file", "files", "empties a file of the user", namespaces | landlock, [](const Target& t) { return ::truncate(t.secret().c_str(), 0) == 0; }},
    {"make_a_folder", "files", "makes a folder beside its own", namespaces | landlock, [](const Target& t) { return ::mkdir((t.folder / "new").c_str(), 0700) == 0; }},
    {"remove_a_folder", "files", "removes an empty folder", namespaces | landlock, [](const Target& t) { return ::rmdir((t.folder / "empty").c_str()) == 0; }},
    {"list_a_folder", "files", "lists the folder above its own", landlock, [](const Target& t) { return ::opendir(t.folder.c_str()) != nullptr; }},
    {"enter_a_folder", "files", "makes a folder of the user its working directory", namespaces, [](const Target& t) { return ::chdir((t.folder / "empty").c_str()) == 0; }},
    {"stat_a_file", "files", "asks whether a file exists and how large it is", namespaces, [](const Target& t) { struct stat s; return ::stat(t.secret().c_str(), &s) == 0; }},
    {"ask_for_access", "files", "asks whether a file may be read", namespaces, [](const Target& t) { return ::access(t.secret().c_str(), R_OK) == 0; }},
    {"read_the_users", "files", "reads /etc/passwd", namespaces | landlock, [](const Target&) { return opens("/etc/passwd", O_RDONLY); }},
    {"read_the_passwords", "files", "reads /etc/shadow", namespaces | landlock, [](const Target&) { return opens("/etc/shadow", O_RDONLY); }},
    {"list_the_home", "files", "lists the home of root", namespaces | landlock, [](const Target&) { return ::opendir("/root") != nullptr; }},
    {"run_a_program", "files", "runs a program of the user", namespaces | landlock, [](const Target& t) { return ::execl((t.folder / "program").c_str(), "program", nullptr) == 0; }},
    {"watch_a_folder", "files", "is told of each change in a folder of the user", namespaces | seccomp, [](const Target& t) { return ::inotify_add_watch(::inotify_init1(0), (t.folder / "empty").c_str(), IN_ALL_EVENTS) >= 0; }},
    {"watch_all_files", "files", "is told of each access in the system", seccomp, [](const Target&) { return is_let_in(::syscall(SYS_fanotify_init, 0xffffU, 0)); }},
    {"open_by_handle", "files", "opens files by their numbers on the disk", namespaces | seccomp, [](const Target& t) { file_handle handle = {}; int mount = 0; return ::name_to_handle_at(AT_FDCWD, t.secret().c_str(), &handle, &mount, 0) == 0 || errno == EOVERFLOW; }},
    {"change_the_mode", "files", "makes a file of the user readable for all", namespaces | seccomp, [](const Target& t) { return ::chmod(t.secret().c_str(), 0777) == 0; }},
    {"change_the_mode_at", "files", "the same by fchmodat()", namespaces | seccomp, [](const Target& t) { return ::fchmodat(AT_FDCWD, t.secret().c_str(), 0777, 0) == 0; }},
    {"change_the_owner", "files", "gives a file of the user away", namespaces | seccomp, [](const Target& t) { return ::chown(t.secret().c_str(), ::getuid(), ::getgid()) == 0; }},
    {"change_the_time", "files", "changes the time of a file, so that a build takes it for new", namespaces | seccomp, [](const Target& t) { return ::utimensat(AT_FDCWD, t.secret().c_str(), nullptr, 0) == 0; }},
    {"change_an_attribute", "files", "sets an attribute of a file", namespaces | seccomp, [](const Target& t) { return ::setxattr(t.secret().c_str(), "user.x", "x", 1, 0) == 0; }},
    {"make_a_device", "files", "makes a device node of a disk in its folder", seccomp, [](const Target& t) { return ::mknod((t.inside / "disk").c_str(), S_IFBLK | 0600, 0x801) == 0; }},

    {"signal_the_parent", "processes", "sends msci-eval a signal", namespaces | seccomp, [](const Target& t) { return ::kill(t.parent, 0) == 0; }},
    {"signal_a_thread", "processes", "sends a thread of msci-eval a signal", namespaces | seccomp, [](const Target& t) { return ::syscall(SYS_tgkill, t.parent, t.parent, 0) == 0; }},
    {"signal_any_thread", "processes", "the same without the process", namespaces | seccomp, [](const Target& t) { return ::syscall(SYS_tkill, t.parent, 0) == 0; }},
    {"queue_a_signal", "processes", "sends msci-eval a signal with a value", namespaces | seccomp, [](const Target& t) { return ::sigqueue(t.parent, 0, {}) == 0; }},
    {"signal_the_group", "processes", "sends all processes of its group a signal", seccomp, [](const Target&) { return ::kill(0, 0) == 0; }},
    {"signal_everybody", "processes", "sends all processes a signal", seccomp, [](const Target&) { return ::kill(-1, 0) == 0; }},
    {"trace_the_parent", "processes", "attaches to msci-eval as a debugger", namespaces | landlock | seccomp, [](const Target& t) { return ::ptrace(PTRACE_SEIZE, t.parent, nullptr, nullptr) == 0; }},
    {"read_its_memory", "processes", "reads the memory of msci-eval", namespaces | landlock | seccomp, [](const Target& t) { char byte = 0; iovec to = {&byte, 1}, from = {&aim, 1}; return ::process_vm_readv(t.parent, &to, 1, &from, 1, 0) == 1; }},
    {"write_its_memory", "processes", "writes the memory of msci-eval", namespaces | landlock | seccomp, [](const Target& t) { char byte = 1; iovec from = {&byte, 1}, to = {&aim, 1}; return ::process_vm_writev(t.parent, &from, 1, &to, 1, 0) == 1; }},
    {"open_its_memory", "processes", "opens the memory of msci-eval as a file", namespaces | landlock, [](const Target& t) { return opens(of_parent(t, "mem"), O_RDWR); }},
    {"read_its_environment", "processes", "reads the environment of msci-eval, which may hold keys", namespaces | landlock, [](const Target& t) { return opens(of_parent(t, "environ"), O_RDONLY); }},
    {"open_its_descriptors", "processes", "opens a file that msci-eval has open", namespaces | landlock, [](const Target& t) { return ::opendir(of_parent(t, "fd").c_str()) != nullptr; }},
    {"list_the_processes", "processes", "finds msci-eval among the processes", namespaces | landlock, [](const Target&) { return sees_other_processes(); }},
    {"hold_the_parent", "processes", "opens msci-eval as a descriptor", namespaces | seccomp, [](const Target& t) { return ::syscall(SYS_pidfd_open, t.parent, 0) >= 0; }},
    {"compare_with_the_parent", "processes", "asks what it shares with msci-eval", namespaces | landlock | seccomp, [](const Target& t) { return ::syscall(SYS_kcmp, ::getpid(), t.parent, 1, 0, 0) >= 0; }},
    {"limit_the_parent", "processes", "reads and sets limits of msci-eval", namespaces | seccomp, [](const Target& t) { rlimit limit; return ::prlimit(t.parent, RLIMIT_CPU, nullptr, &limit) == 0; }},
    {"slow_the_parent", "processes", "lowers the priority of msci-eval", namespaces | seccomp, [](const Target& t) { return ::setpriority(PRIO_PROCESS, static_cast<id_t>(t.parent), ::getpriority(PRIO_PROCESS, static_cast<id_t>(t.parent))) == 0; }},
    {"bind_the_parent", "processes", "chooses the processors of msci-eval", namespaces | seccomp, [](const Target& t) { cpu_set_t all; return ::sched_getaffinity(0, sizeof all, &all) == 0 && ::sched_setaffinity(t.parent, sizeof all, &all) == 0; }},
    {"schedule_the_parent", "processes", "changes how msci-eval is scheduled", namespaces | seccomp, [](const Target& t) { const sched_param none = {}; return ::sched_setscheduler(t.parent, SCHED_OTHER, &none) == 0; }},
    {"rank_its_disk_accesses", "processes", "changes the rank of msci-eval's disk accesses", namespaces | seccomp, [](const Target& t) { return ::syscall(SYS_ioprio_set, 1, t.parent, 0) == 0; }},
    {"leave_the_session", "processes", "leaves the session, so that the group's death misses it", seccomp, [](const Target&) { const auto child = ::fork(); if (child == 0) ::_exit(::setsid() >= 0 ? 0 : 1); int status = 1; ::waitpid(child, &status, 0); return status == 0; }},
    {"leave_the_group", "processes", "leaves the group of processes that is killed", seccomp, [](const Target&) { return ::setpgid(0, 0) == 0; }},
    {"outlive_the_parent", "processes", "takes back the signal of msci-eval's death", seccomp, [](const Target&) { return ::prctl(PR_SET_PDEATHSIG, 0) == 0; }},

    {"internet", "network and messages", "opens a socket of the Internet", seccomp, [](const Target&) { return makes_socket(AF_INET, SOCK_STREAM); }},
    {"internet_6", "network and messages", "opens a socket of IPv6", seccomp, [](const Target&) { return makes_socket(AF_INET6, SOCK_DGRAM); }},
    {"raw_packets", "network and messages", "reads and writes packets", seccomp, [](const Target&) { return makes_socket(AF_PACKET, SOCK_RAW); }},
    {"netlink", "network and messages", "talks to the kernel's network", seccomp, [](const Target&) { return makes_socket(AF_NETLINK, SOCK_RAW); }},
    {"kernel_ciphers", "network and messages", "uses the kernel's ciphers, a source of faults", seccomp, [](const Target&) { return makes_socket(AF_ALG, SOCK_SEQPACKET); }},
    {"local_socket", "network and messages", "opens a local socket", seccomp, [](const Target&) { return makes_socket(AF_UNIX, SOCK_STREAM); }},
    {"socket_pair", "network and messages", "makes a pair of sockets", seccomp, [](const Target&) { int ends[2]; return ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0; }},
    {"service_of_the_user", "network and messages", "connects to a service of the user by its path", namespaces | seccomp, [](const Target& t) { return connects_to_a_path(t); }},
    {"shared_memory", "network and messages", "makes memory that outlives it", seccomp, [](const Target&) { const int id = ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600); return id >= 0 && ::shmctl(id, IPC_RMID, nullptr) == 0; }},
    {"shared_memory_file", "network and messages", "leaves a file in /dev/shm", namespaces | landlock, [](const Target&) { return opens("/dev/shm/msci-native-attack", O_CREAT | O_RDWR) && ::unlink("/dev/shm/msci-native-attack") == 0; }},
    {"messages", "network and messages", "makes a queue of messages", seccomp, [](const Target&) { const int id = ::msgget(IPC_PRIVATE, IPC_CREAT | 0600); return id >= 0 && ::msgctl(id, IPC_RMID, nullptr) == 0; }},
    {"semaphores", "network and messages", "makes semaphores that outlive it", seccomp, [](const Target&) { const int id = ::semget(IPC_PRIVATE, 1, IPC_CREAT | 0600); return id >= 0 && ::semctl(id, 0, IPC_RMID) == 0; }},
    {"posix_messages", "network and messages", "makes a queue of POSIX messages", seccomp, [](const Target&) { return ::mq_open("/msci-native-attack", O_CREAT | O_RDWR, 0600, nullptr) >= 0 && ::mq_unlink("/msci-native-attack") == 0; }},
    {"kernel_keys", "network and messages", "leaves a key in the kernel", seccomp, [](const Target&) { return ::syscall(SYS_keyctl, 0, -3, 0) >= 0; }},

    {"calls_without_a_filter", "the system", "makes calls by io_uring, which no filter sees", seccomp, [](const Target&) { return is_let_in(::syscall(SYS_io_uring_setup, 1, nullptr)); }},
    {"new_user", "the system", "becomes root of a user namespace", seccomp, [](const Target&) { return ::unshare(CLONE_NEWUSER) == 0; }},
    {"other_namespace", "the system", "enters a namespace", seccomp, [](const Target&) { return is_let_in(::setns(-1, 0)); }},
    {"mount", "the system", "mounts a file system over its folder", landlock | seccomp, [](const Target& t) { return ::mount("tmpfs", t.inside.c_str(), "tmpfs", 0, nullptr) == 0 && ::umount2(t.inside.c_str(), MNT_DETACH) == 0; }},
    {"new_root", "the system", "makes its folder the root", namespaces | seccomp, [](const Target& t) { return ::chroot(t.inside.c_str()) == 0; }},
    {"host_name", "the system", "sets the name of the machine", namespaces | seccomp, [](const Target&) { char name[65] = {}; return ::gethostname(name, 64) == 0 && ::sethostname(name, std::strlen(name)) == 0; }},
    {"clock", "the system", "steers the clock", seccomp, [](const Target&) { timex none = {}; return ::adjtimex(&none) >= 0; }},
    {"kernel_log", "the system", "reads the messages of the kernel", seccomp, [](const Target&) { return ::klogctl(10, nullptr, 0) >= 0; }},
    {"kernel_log_device", "the system", "reads the messages of the kernel by its device", namespaces | landlock, [](const Target&) { return opens("/dev/kmsg", O_RDONLY | O_NONBLOCK); }},
    {"physical_memory", "the system", "opens the memory of the machine", namespaces | landlock, [](const Target&) { return opens("/dev/mem", O_RDONLY); }},
    {"tunnel", "the system", "makes a network device", namespaces | landlock, [](const Target&) { return opens("/dev/net/tun", O_RDWR); }},
    {"file_system_of_its_own", "the system", "serves a file system", namespaces | landlock, [](const Target&) { return opens("/dev/fuse", O_RDWR); }},
    {"program_in_the_kernel", "the system", "loads a program into the kernel", seccomp, [](const Target&) { return is_let_in(::syscall(SYS_bpf, 0, nullptr, 0)); }},
    {"performance_counters", "the system", "reads performance counters of others", seccomp, [](const Target&) { return is_let_in(::syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0)); }},
    {"page_faults", "the system", "handles page faults, which widens races in the kernel", seccomp, [](const Target&) { return ::syscall(SYS_userfaultfd, 1) >= 0; }},
    {"kernel_module", "the system", "loads a module into the kernel", namespaces | seccomp, [](const Target&) { return is_let_in(::syscall(SYS_init_module, nullptr, 0, nullptr)); }},
    {"other_kernel", "the system", "starts another kernel", namespaces | seccomp, [](const Target&) { return is_let_in(::syscall(SYS_kexec_load, 0, 17UL, nullptr, 0)); }},
    {"restart", "the system", "restarts the machine", namespaces | seccomp, [](const Target&) { return is_let_in(::syscall(SYS_reboot, 0, 0, 0, nullptr)); }},
    {"swap", "the system", "swaps to a file of its own", namespaces | seccomp, [](const Target& t) { return is_let_in(::syscall(SYS_swapon, (t.inside / "none").c_str(), 0)); }},
    {"ports", "the system", "reaches the ports of the machine", namespaces | seccomp, [](const Target&) { return ::syscall(SYS_iopl, 3) == 0; }},
    {"quotas", "the system", "changes the quotas of users", seccomp, [](const Target&) { return is_let_in(::syscall(SYS_quotactl, 0x800008, nullptr, 0, nullptr)); }},
    {"layout_of_memory", "the system", "turns off the random layout of memory", seccomp, [](const Target&) { return ::personality(ADDR_NO_RANDOMIZE) >= 0; }},
    {"other_user", "the system", "becomes another user", namespaces | seccomp, [](const Target&) { return ::setuid(12345) == 0; }},
    {"endless_file", "the system", "fills the disk with a file", limits, [](const Target& t) { ::signal(SIGXFSZ, SIG_IGN); const int fd = ::open((t.inside / "large").c_str(), O_CREAT | O_RDWR, 0600); return ::ftruncate(fd, off_t{2} << 30) == 0; }},
};
// clang-format on

constexpr int failed = 40, not_here = 41;

class NativeAttack : public testing::TestWithParam<Attack> {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "msci-native-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    for (const auto* each : {"inside", "empty"}) fs::create_directory(folder_ / each);
    std::ofstream(folder_ / "secret") << "secret";
    std::ofstream(folder_ / "program") << "#!/bin/sh\nexit 0\n";
    fs::permissions(folder_ / "program", fs::perms::owner_all);
    sockaddr_un address = {.sun_family = AF_UNIX};
    (folder_ / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
    listener_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(::listen(listener_, 1), 0);
  }
  void TearDown() override {
    ::close(listener_);
    fs::remove_all(folder_);
  }

  // The status of a process that attacks; under these layers, if there are any. not_here: none of
  // those that stop the attack holds on this system.
  int status_under(std::optional<Layers> layers) const {
    const Target target{folder_, folder_ / "inside", ::getpid()};
    const auto child = ::fork();
    if (child == 0) {
      ::setpgid(0, 0);
      if (layers && !is_stopped_by(restrict_process(target.inside, *layers))) ::_exit(not_here);
      ::_exit(GetParam().reaches(target) ? 0 : failed);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : failed;
  }

  static bool is_stopped_by(const Confinement& confinement) {
    const auto stoppers = GetParam().stoppers;
    return stoppers == limits || std::ranges::any_of(confinement.layers, [&](const auto& layer) {
             return stoppers & (layer == "namespaces" ? namespaces
                                : layer == "Landlock" ? landlock
                                                      : seccomp);
           });
  }

  fs::path folder_;
  int listener_ = -1;
};

TEST_P(NativeAttack, fails) {
  const auto together = status_under(Layers{});
  if (together == not_here) GTEST_SKIP() << "this system has none of the layers that stop it";
  EXPECT_NE(together, 0) << "under all layers";
  for (const auto layer : {namespaces, landlock, seccomp})
    if (GetParam().stoppers & layer)
      EXPECT_NE(status_under(Layers{.namespaces = layer == namespaces,
                                    .landlock = layer == landlock,
                                    .seccomp = layer == seccomp}),
                0)
          << "under layer " << layer << " alone";
}

// Those that any process may make on any system. Their failure shows something only if they succeed
// without a sandbox.
std::vector<Attack> common_attacks() {
  const std::set<std::string> names = {"read_a_file",        "write_a_file",
                                       "create_a_file",      "remove_a_file",
                                       "rename_a_file",      "link_to_a_file",
                                       "truncate_a_file",    "read_through_a_symbolic_link",
                                       "make_a_folder",      "remove_a_folder",
                                       "list_a_folder",      "enter_a_folder",
                                       "stat_a_file",        "ask_for_access",
                                       "read_the_users",     "run_a_program",
                                       "watch_a_folder",     "change_the_mode",
                                       "change_the_owner",   "change_the_mode_at",
                                       "change_the_time",    "signal_the_parent",
                                       "signal_a_thread",    "signal_any_thread",
                                       "queue_a_signal",     "signal_the_group",
                                       "limit_the_parent",   "read_its_environment",
                                       "slow_the_parent",    "bind_the_parent",
                                       "leave_the_session",  "list_the_processes",
                                       "leave_the_group",    "outlive_the_parent",
                                       "internet",           "local_socket",
                                       "socket_pair",        "shared_memory",
                                       "messages",           "service_of_the_user",
                                       "shared_memory_file", "semaphores",
                                       "endless_file"};
  std::vector<Attack> common;
  std::ranges::copy_if(attacks, std::back_inserter(common),
                       [&](const Attack& each) { return names.contains(each.name); });
  EXPECT_EQ(common.size(), names.size());
  return common;
}

class CommonAttack : public NativeAttack {};

TEST_P(CommonAttack, succeeds_without_a_sandbox) { EXPECT_EQ(status_under(std::nullopt), 0); }

INSTANTIATE_TEST_SUITE_P(Table, CommonAttack, testing::ValuesIn(common_attacks()),
                         [](const auto& info) { return std::string(info.param.name); });
INSTANTIATE_TEST_SUITE_P(Table, NativeAttack, testing::ValuesIn(attacks),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(NativeAttacks, are_at_least_sixty) { EXPECT_GE(std::size(attacks), 60U); }

}  // namespace
}  // namespace msci
