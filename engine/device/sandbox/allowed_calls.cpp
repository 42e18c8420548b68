#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "engine/device/sandbox/sandbox.h"

namespace msci {
namespace {

// What the engine and PoCL call (by `strace -f` on a checked run of saxpy), and the rest of each
// family. NVIDIA's driver was not traced: its libraries import no other function of the C library
// that this list would newly deny.
constexpr int allowed[] = {
    // Files. Landlock says which.
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(pread64),
    SCMP_SYS(pwrite64), SCMP_SYS(preadv), SCMP_SYS(pwritev), SCMP_SYS(preadv2), SCMP_SYS(pwritev2),
    SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(creat), SCMP_SYS(close),
    SCMP_SYS(close_range), SCMP_SYS(lseek), SCMP_SYS(stat), SCMP_SYS(fstat), SCMP_SYS(lstat),
    SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(statfs), SCMP_SYS(fstatfs), SCMP_SYS(access),
    SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
    SCMP_SYS(getcwd), SCMP_SYS(chdir), SCMP_SYS(fchdir), SCMP_SYS(getdents), SCMP_SYS(getdents64),
    SCMP_SYS(fcntl), SCMP_SYS(flock), SCMP_SYS(fsync), SCMP_SYS(fdatasync), SCMP_SYS(fadvise64),
    SCMP_SYS(readahead), SCMP_SYS(fallocate), SCMP_SYS(ftruncate), SCMP_SYS(truncate),
    SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(pipe), SCMP_SYS(pipe2),
    SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(link), SCMP_SYS(linkat),
    SCMP_SYS(symlink), SCMP_SYS(symlinkat), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat), SCMP_SYS(rmdir), SCMP_SYS(umask), SCMP_SYS(sendfile),
    SCMP_SYS(copy_file_range), SCMP_SYS(ioctl),
    // Memory.
    SCMP_SYS(mmap), SCMP_SYS(mprotect), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(brk),
    SCMP_SYS(madvise), SCMP_SYS(mincore), SCMP_SYS(msync), SCMP_SYS(mlock), SCMP_SYS(mlock2),
    SCMP_SYS(munlock), SCMP_SYS(mlockall), SCMP_SYS(munlockall), SCMP_SYS(memfd_create),
    SCMP_SYS(mbind), SCMP_SYS(get_mempolicy), SCMP_SYS(set_mempolicy), SCMP_SYS(membarrier),
    SCMP_SYS(pkey_alloc), SCMP_SYS(pkey_free), SCMP_SYS(pkey_mprotect),
    // Threads and programs of its own; clone() and signals have conditions below.
    SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(exit),
    SCMP_SYS(exit_group), SCMP_SYS(wait4), SCMP_SYS(waitid), SCMP_SYS(futex), SCMP_SYS(futex_waitv),
    SCMP_SYS(set_robust_list), SCMP_SYS(get_robust_list), SCMP_SYS(rseq), SCMP_SYS(set_tid_address),
    SCMP_SYS(arch_prctl), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler), SCMP_SYS(sched_get_priority_min),
    SCMP_SYS(sched_get_priority_max), SCMP_SYS(getcpu), SCMP_SYS(getpriority),
    // What it is and where.
    SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(gettid), SCMP_SYS(getpgrp), SCMP_SYS(getpgid),
    SCMP_SYS(getsid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
    SCMP_SYS(getresuid), SCMP_SYS(getresgid), SCMP_SYS(getgroups), SCMP_SYS(capget),
    SCMP_SYS(uname), SCMP_SYS(sysinfo), SCMP_SYS(getrandom), SCMP_SYS(getrlimit),
    SCMP_SYS(setrlimit), SCMP_SYS(getrusage), SCMP_SYS(times),
    // Signals of its own.
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigpending), SCMP_SYS(rt_sigsuspend), SCMP_SYS(rt_sigtimedwait),
    SCMP_SYS(sigaltstack), SCMP_SYS(signalfd), SCMP_SYS(signalfd4), SCMP_SYS(restart_syscall),
    SCMP_SYS(pause),
    // Time.
    SCMP_SYS(alarm), SCMP_SYS(setitimer), SCMP_SYS(getitimer), SCMP_SYS(timer_create),
    SCMP_SYS(timer_settime), SCMP_SYS(timer_gettime), SCMP_SYS(timer_getoverrun),
    SCMP_SYS(timer_delete), SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime),
    SCMP_SYS(timerfd_gettime), SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep),
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time),
    // Waiting for descriptors, and the channel to msci-eval, which is open already.
    SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select), SCMP_SYS(pselect6), SCMP_SYS(epoll_create),
    SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait),
    SCMP_SYS(eventfd), SCMP_SYS(eventfd2), SCMP_SYS(sendmsg), SCMP_SYS(recvmsg), SCMP_SYS(sendto),
    SCMP_SYS(recvfrom)};

// New namespaces by clone(); the flags of clone3() lie in memory, where no filter sees them.
constexpr std::uint64_t namespaces = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET |
                                     CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

class Filter {
 public:
  Filter() : filter_(::seccomp_init(SCMP_ACT_ERRNO(EACCES))) {}
  ~Filter() {
    if (filter_) ::seccomp_release(filter_);
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  // Under all of the conditions.
  template <typename... Conditions>
  void allow(int call, Conditions... conditions) {
    add(SCMP_ACT_ALLOW, call, conditions...);
  }
  // As if the kernel did not have the call, so that callers use an older one.
  void hide(int call) { add(SCMP_ACT_ERRNO(ENOSYS), call); }
  bool load() { return filter_ && complete_ && ::seccomp_load(filter_) == 0; }

 private:
  template <typename... Conditions>
  void add(std::uint32_t action, int call, Conditions... conditions) {
    complete_ =
        complete_ && filter_ &&
        ::seccomp_rule_add(filter_, action, call, sizeof...(conditions), conditions...) == 0;
  }

  scmp_filter_ctx filter_;
  bool complete_ = true;
};

}  // namespace

bool forbid_other_calls() {
  Filter filter;
  for (const int call : allowed) filter.allow(call);
  const auto self = static_cast<std::uint64_t>(::getpid());
  // Signals to itself; the group would reach others, which are killed with it.
  filter.allow(SCMP_SYS(kill), SCMP_A0(SCMP_CMP_EQ, self));
  filter.allow(SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, self));
  filter.allow(SCMP_SYS(rt_tgsigqueueinfo), SCMP_A0(SCMP_CMP_EQ, self));
  filter.allow(SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_EQ, 0));
  filter.allow(SCMP_SYS(sched_setaffinity), SCMP_A0(SCMP_CMP_EQ, 0));
  filter.allow(SCMP_SYS(move_pages), SCMP_A0(SCMP_CMP_EQ, 0));            // NVIDIA's driver has it
  filter.allow(SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_NE, PR_SET_PDEATHSIG));  // it dies with msci-eval
  filter.allow(SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, namespaces, 0));
  filter.hide(SCMP_SYS(clone3));
  return filter.load();
}

}  // namespace msci
