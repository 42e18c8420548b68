// The rights that a process loses in the sandbox.
#include "evaluator/device/sandbox/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr int not_here = 77;

bool keeps(const std::vector<std::string>& unsandboxed, std::string_view thing) {
  return std::none_of(unsandboxed.begin(), unsandboxed.end(),
                      [&](const auto& each) { return each.find(thing) != std::string::npos; });
}

class Sandbox : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "msci-sandbox-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    outside_ = name;
    inside_ = outside_ / "inside";
    fs::create_directory(inside_);
    std::ofstream(outside_ / "secret") << "secret";
  }
  void TearDown() override { fs::remove_all(outside_); }

  // The errno that an action ends with in a restricted process; 0 where it succeeds, not_here where
  // the system cannot keep it from that.
  int errno_of(std::string_view thing, const std::function<bool()>& succeeds) const {
    const auto child = ::fork();
    if (child == 0) {
      if (!keeps(restrict_process(inside_), thing)) ::_exit(not_here);
      ::_exit(succeeds() ? 0 : errno);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    return WEXITSTATUS(status);
  }

  fs::path outside_, inside_;
};

#define EXPECT_ERRNO(thing, expected, ...)                                           \
  if (const int got = errno_of(thing, [&] { return __VA_ARGS__; }); got == not_here) \
    GTEST_SKIP() << "this system cannot keep processes from " << thing;              \
  else                                                                               \
    EXPECT_EQ(got, expected)

bool opens(const fs::path& path, int flags) { return ::open(path.c_str(), flags, 0600) >= 0; }

TEST_F(Sandbox, writes_in_its_folder) {
  EXPECT_ERRNO("the file system", 0, opens(inside_ / "new", O_CREAT | O_RDWR));
}

TEST_F(Sandbox, reads_the_files_that_drivers_load) {
  EXPECT_ERRNO("the file system", 0,
               opens("/usr/bin/env", O_RDONLY) && opens("/proc/self/maps", O_RDONLY));
}

TEST_F(Sandbox, reads_no_other_file) {
  EXPECT_ERRNO("the file system", EACCES, opens(outside_ / "secret", O_RDONLY));
  EXPECT_ERRNO("the file system", EACCES, opens("/etc/passwd", O_RDONLY));
}

TEST_F(Sandbox, writes_nowhere_else) {
  EXPECT_ERRNO("the file system", EACCES, opens(outside_ / "new", O_CREAT | O_RDWR));
  EXPECT_ERRNO("the file system", EACCES, ::unlink((outside_ / "secret").c_str()) == 0);
}

TEST_F(Sandbox, truncates_no_file) {
  EXPECT_ERRNO("the", EACCES, ::truncate((outside_ / "secret").c_str(), 0) == 0);
}

TEST_F(Sandbox, cannot_leave_its_folder_through_a_link) {
  fs::create_symlink(outside_ / "secret", inside_ / "link");
  EXPECT_ERRNO("the file system", EACCES, opens(inside_ / "link", O_RDONLY));
}

#ifndef __SANITIZE_ADDRESS__  // which reserves terabytes
TEST_F(Sandbox, allocates_memory_up_to_the_limit) {
  const auto takes = [](std::size_t bytes) {
    return ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
  };
  constexpr std::size_t mib = 1 << 20;
  EXPECT_ERRNO("the", 0, takes(1024 * mib) && (limit_memory(64 * mib), takes(32 * mib)));
  EXPECT_ERRNO("the", ENOMEM, takes(1024 * mib) && (limit_memory(64 * mib), takes(256 * mib)));
}
#endif

TEST_F(Sandbox, has_no_network) {
  EXPECT_ERRNO("the network", EACCES, ::socket(AF_INET, SOCK_STREAM, 0) >= 0);
  EXPECT_ERRNO("the network", EACCES, ::socket(AF_INET6, SOCK_DGRAM, 0) >= 0);
  EXPECT_ERRNO("the network", EACCES, ::socket(AF_PACKET, SOCK_RAW, 0) >= 0);
  EXPECT_ERRNO("the network", EACCES, ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
  int ends[2];
  EXPECT_ERRNO("the network", EACCES, ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
}

TEST_F(Sandbox, touches_no_other_process) {
  const auto parent = ::getpid();
  rlimit limit = {};
  EXPECT_ERRNO("the network", EACCES, ::kill(parent, 0) == 0);
  EXPECT_ERRNO("the network", EACCES, ::prlimit(parent, RLIMIT_CPU, nullptr, &limit) == 0);
  EXPECT_ERRNO("the network", EACCES, ::setpriority(PRIO_PROCESS, parent, 5) == 0);
  EXPECT_ERRNO("the network", 0, ::getrlimit(RLIMIT_CPU, &limit) == 0);
  EXPECT_ERRNO("the network", 0, ::kill(::getpid(), 0) == 0);
  EXPECT_ERRNO("the file system", EACCES,
               opens("/proc/" + std::to_string(parent) + "/environ", O_RDONLY));
}

TEST_F(Sandbox, changes_no_attribute_of_a_file) {
  const auto secret = outside_ / "secret";
  EXPECT_ERRNO("the network", EACCES, ::chmod(secret.c_str(), 0777) == 0);
  EXPECT_ERRNO("the network", EACCES, ::chown(secret.c_str(), 0, 0) == 0);
  EXPECT_ERRNO("the network", EACCES, ::utimensat(AT_FDCWD, secret.c_str(), nullptr, 0) == 0);
  EXPECT_ERRNO("the network", EACCES, ::setxattr(secret.c_str(), "user.x", "x", 1, 0) == 0);
}

TEST_F(Sandbox, leaves_no_memory_behind) {
  EXPECT_ERRNO("the network", EACCES, ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0);
  EXPECT_ERRNO("the file system", EACCES, opens("/dev/shm/msci-left-behind", O_CREAT | O_RDWR));
}

TEST_F(Sandbox, changes_nothing_of_the_system_even_as_root) {
  EXPECT_ERRNO("the network", EACCES, ::unshare(CLONE_NEWUSER) == 0);
  EXPECT_ERRNO("the network", EACCES, ::sethostname("name", 4) == 0);
  EXPECT_ERRNO("the network", EACCES, ::chroot(inside_.c_str()) == 0);
  EXPECT_ERRNO("the network", EACCES, ::mknod((inside_ / "node").c_str(), S_IFCHR, 259) == 0);
  EXPECT_ERRNO("the file system", EACCES, opens("/dev/kmsg", O_RDONLY));
}

TEST_F(Sandbox, starts_threads_and_programs) {
  EXPECT_ERRNO("the network", 0, (std::thread([] {}).join(), true));
  EXPECT_ERRNO("the network", 0, std::system("exit 0") == 0);
}

TEST_F(Sandbox, writes_no_file_without_end) {
  EXPECT_ERRNO("the network", EFBIG, [&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const int fd = ::open((inside_ / "large").c_str(), O_CREAT | O_RDWR, 0600);
    return ::ftruncate(fd, off_t{2} << 30) == 0;
  }());
}

TEST_F(Sandbox, stays_in_its_process_group) {
  EXPECT_ERRNO("the network", EACCES, ::setsid() >= 0);
  EXPECT_ERRNO("the network", EACCES, ::setpgid(0, 0) == 0);
}

TEST_F(Sandbox, child_processes_are_restricted_too) {
  EXPECT_ERRNO(
      "the file system", 1,
      ::execl("/bin/sh", "sh", "-c",
              ("cat " + (outside_ / "secret").string() + " 2>/dev/null").c_str(), nullptr) == 0);
}

}  // namespace
}  // namespace msci
