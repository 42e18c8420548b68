// What programs do that differs between glibc 2.31 and later ones (packaging/old_glibc/).
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

int failures = 0;

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: %s\n", what);
  ++failures;
}

const std::string constructed_before_main = "constructed";

// From now on, the kernel is one without the system call.
bool forbid_close_range() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(filter), filter};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool is_open(int file) { return ::fcntl(file, F_GETFD) >= 0; }

void check_close_range() {
  const int kept = ::open("/dev/null", O_RDONLY);
  for (int file = 200; file < 900; ++file) ::dup2(kept, file);
  check(::close_range(300, ~0U, 0) == 0, "close_range closes to the end");
  check(is_open(kept) && is_open(299) && !is_open(300) && !is_open(899),
        "close_range keeps others");
  check(::close_range(210, 250, 0) == 0, "close_range closes a range");
  check(is_open(209) && !is_open(210) && !is_open(250) && is_open(251), "close_range ends there");
}

std::string thrown_in_a_thread() {
  std::string what;
  std::once_flag once;
  std::thread([&] {
    try {
      throw std::runtime_error("thrown");
    } catch (const std::exception& error) {
      std::call_once(once, [&] { what = error.what(); });
    }
  }).join();
  return what;
}

void check_stat(const char* self) {
  struct stat named = {}, opened = {};
  const int file = ::open(self, O_RDONLY);
  check(::stat(self, &named) == 0 && ::fstat(file, &opened) == 0, "stat and fstat succeed");
  check(named.st_ino == opened.st_ino && named.st_size > 0, "stat and fstat agree");
  check(::lstat("/proc/self/exe", &named) == 0 && S_ISLNK(named.st_mode), "lstat sees a link");
  errno = 0;
  check(::stat("/no such file", &named) == -1 && errno == ENOENT, "stat sets errno");
}

}  // namespace

int main(int argc, char** argv) {
  check(constructed_before_main == "constructed", "constructors run");
  check(thrown_in_a_thread() == "thrown", "an exception is caught in a thread");
  check_stat(argv[0]);
  std::random_device random;
  check(random() != random() || random() != random(), "random numbers differ");
  ::setenv("MSCI_SET_HERE", "1", 1);
  bool found = false;
  for (char** each = environ; *each; ++each) found |= !std::strncmp(*each, "MSCI_SET_HERE=", 14);
  check(found, "environ is glibc's");
  check(std::pow(argc, 0.5) == 1, "libm is found");
  check(::dlsym(RTLD_DEFAULT, "malloc"), "dlsym is found");
  check_close_range();
  check(forbid_close_range(), "a filter for system calls");
  check_close_range();
  std::puts(failures ? "FAILED" : "fine");
  return failures != 0;
}
