// What a process keeps in the sandbox, and how it ends there. What it loses: native_attacks_test.
#include "engine/device/sandbox/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

namespace msci {
namespace {

namespace fs = std::filesystem;

class Sandbox : public testing::TestWithParam<bool> {  // with namespaces or without
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

  // How a restricted process ends that runs `body` and exits with what it returns.
  int status_of(const std::function<int()>& body) const {
    const auto child = start(body);
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }

  pid_t start(const std::function<int()>& body) const {
    const auto child = ::fork();
    if (child != 0) return child;
    restrict_process(inside_, {.namespaces = GetParam()});
    ::_exit(body());
  }

  // The errno that an action ends with; 0 where it succeeds.
  int errno_of(const std::function<bool()>& succeeds) const {
    const auto status = status_of([&] { return succeeds() ? 0 : errno; });
    EXPECT_TRUE(WIFEXITED(status));
    return WEXITSTATUS(status);
  }

  fs::path outside_, inside_;
};

bool opens(const fs::path& path, int flags) { return ::open(path.c_str(), flags, 0600) >= 0; }

TEST_P(Sandbox, writes_in_its_folder) {
  EXPECT_EQ(errno_of([&] { return opens(inside_ / "new", O_CREAT | O_RDWR); }), 0);
  EXPECT_TRUE(fs::exists(inside_ / "new")) << "it is the folder that msci-eval made";
}

TEST_P(Sandbox, reads_the_files_that_drivers_load) {
  EXPECT_EQ(errno_of([] {
              return opens("/usr/bin/env", O_RDONLY) && opens("/bin/sh", O_RDONLY) &&
                     opens("/proc/self/maps", O_RDONLY) && opens("/proc/cpuinfo", O_RDONLY) &&
                     opens("/sys/devices/system/cpu/online", O_RDONLY) &&
                     opens("/dev/null", O_RDWR) && opens("/dev/urandom", O_RDONLY);
            }),
            0);
}

#ifndef __SANITIZE_ADDRESS__  // which reserves terabytes
TEST_P(Sandbox, allocates_memory_up_to_the_limit) {
  const auto takes = [](std::size_t bytes) {
    return ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
  };
  constexpr std::size_t mib = 1 << 20;
  const auto takes_below_a_limit = [&](std::size_t bytes) {
    return errno_of([&] { return takes(1024 * mib) && (limit_memory(64 * mib), takes(bytes)); });
  };
  EXPECT_EQ(takes_below_a_limit(32 * mib), 0);
  EXPECT_EQ(takes_below_a_limit(256 * mib), ENOMEM);
}
#endif

TEST_P(Sandbox, signals_and_limits_itself) {
  EXPECT_EQ(errno_of([] { return ::kill(::getpid(), 0) == 0; }), 0);
  EXPECT_EQ(errno_of([] {
              rlimit limit = {};
              return ::getrlimit(RLIMIT_CPU, &limit) == 0 && ::setrlimit(RLIMIT_CPU, &limit) == 0;
            }),
            0);
}

TEST_P(Sandbox, starts_threads_and_programs) {
  EXPECT_EQ(errno_of([] { return std::thread([] {}).join(), true; }), 0);
  EXPECT_EQ(errno_of([] { return std::system("exit 0") == 0; }), 0);
}

TEST_P(Sandbox, programs_that_it_starts_are_restricted_too) {
  const auto command = "cat " + (outside_ / "secret").string() + " 2>/dev/null";
  EXPECT_EQ(errno_of([&] { return ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr) == 0; }),
            1);
}

TEST_P(Sandbox, writes_no_file_without_end) {
  EXPECT_EQ(errno_of([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              const int fd = ::open((inside_ / "large").c_str(), O_CREAT | O_RDWR, 0600);
              return ::ftruncate(fd, off_t{2} << 30) == 0;
            }),
            EFBIG);
}

TEST_P(Sandbox, ends_as_its_program_ends) {
  EXPECT_EQ(WEXITSTATUS(status_of([] { return 7; })), 7);
  for (const int signal : {SIGABRT, SIGSEGV, SIGKILL, SIGALRM}) {
    const auto status = status_of([&] { return ::raise(signal); });
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal);
  }
}

// Only a namespace of processes ends with its first process.
class SandboxWithNamespaces : public Sandbox {
 protected:
  void SetUp() override {
    Sandbox::SetUp();
    const auto child = ::fork();
    if (child == 0) {
      const auto layers = restrict_process(inside_, {.namespaces = true}).layers;
      ::_exit(std::find(layers.begin(), layers.end(), "namespaces") == layers.end());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0) GTEST_SKIP() << "this system has no namespaces";
  }
};

// The grandchild holds an end of a pipe until it dies. If the kill does not end it, the alarm does:
// it also holds the output of this test.
TEST_P(SandboxWithNamespaces, a_forked_child_does_not_outlive_a_kill) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const auto child = start([&] {
    if (::fork() == 0) return ::alarm(20), ::pause();
    EXPECT_EQ(::write(ends[1], "x", 1), 1);
    return ::pause();
  });
  ::close(ends[1]);
  char byte = 0;
  ASSERT_EQ(::read(ends[0], &byte, 1), 1);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  pollfd end = {.fd = ends[0], .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&end, 1, 10'000), 1);
  EXPECT_TRUE(end.revents & POLLHUP);
}

// Landlock and seccomp hold where a system has no namespaces for users.
TEST(Confinement, names_the_layers_that_hold) {
  const auto child = ::fork();
  if (child == 0) {
    const auto confinement =
        restrict_process(fs::temp_directory_path(), {.namespaces = false, .landlock = false});
    const std::vector<std::string> layers = {"seccomp"};
    const std::vector<std::string> unsandboxed = {"the file system (no Landlock)"};
    ::_exit(confinement.layers == layers && confinement.unsandboxed == unsandboxed ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

INSTANTIATE_TEST_SUITE_P(Namespaces, Sandbox, testing::Bool(),
                         [](const auto& info) { return info.param ? "with" : "without"; });
INSTANTIATE_TEST_SUITE_P(Namespaces, SandboxWithNamespaces, testing::Values(true));

}  // namespace
}  // namespace msci
