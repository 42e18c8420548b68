#include "evaluator/device/sandbox/forbidden_calls.h"

#include <sched.h>
#include <seccomp.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace msci {
namespace {

// Denied whatever the arguments.
constexpr int forbidden[] = {
    // Other processes on this machine and elsewhere. io_uring makes calls that no filter sees. The
    // channel to msci-eval is open already.
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen),
    SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
    SCMP_SYS(process_madvise), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal), SCMP_SYS(kcmp), SCMP_SYS(tkill), SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(setpriority), SCMP_SYS(ioprio_set), SCMP_SYS(perf_event_open), SCMP_SYS(bpf),
    SCMP_SYS(userfaultfd),
    // Leaving the process group, which is how the process is killed.
    SCMP_SYS(setsid), SCMP_SYS(setpgid),
    // Attributes of files, which Landlock does not cover.
    SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(fchown),
    SCMP_SYS(lchown), SCMP_SYS(fchownat), SCMP_SYS(utime), SCMP_SYS(utimes), SCMP_SYS(futimesat),
    SCMP_SYS(utimensat), SCMP_SYS(setxattr), SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr),
    SCMP_SYS(removexattr), SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr), SCMP_SYS(mknod),
    SCMP_SYS(mknodat), SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at),
    SCMP_SYS(fanotify_init), SCMP_SYS(quotactl),
    // Memory and messages that outlive the process.
    SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(shmctl), SCMP_SYS(msgget), SCMP_SYS(semget),
    SCMP_SYS(mq_open), SCMP_SYS(mq_unlink), SCMP_SYS(add_key), SCMP_SYS(request_key),
    SCMP_SYS(keyctl),
    // The system, where root runs the process.
    SCMP_SYS(chroot), SCMP_SYS(pivot_root), SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(open_tree),
    SCMP_SYS(move_mount), SCMP_SYS(fsopen), SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr), SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname), SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(adjtimex),
    SCMP_SYS(clock_adjtime), SCMP_SYS(reboot), SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load),
    SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(swapon),
    SCMP_SYS(swapoff), SCMP_SYS(acct), SCMP_SYS(syslog), SCMP_SYS(iopl), SCMP_SYS(ioperm),
    SCMP_SYS(setuid), SCMP_SYS(setgid), SCMP_SYS(setreuid), SCMP_SYS(setregid), SCMP_SYS(setresuid),
    SCMP_SYS(setresgid), SCMP_SYS(setgroups), SCMP_SYS(capset)};

// New namespaces by clone(); the flags of clone3() lie in memory, where no filter sees them.
constexpr std::uint64_t namespaces = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET |
                                     CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

class Filter {
 public:
  Filter() : filter_(::seccomp_init(SCMP_ACT_ALLOW)) {}
  ~Filter() {
    if (filter_) ::seccomp_release(filter_);
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  template <typename... Conditions>
  void deny(int call, Conditions... conditions) {
    add(SCMP_ACT_ERRNO(EACCES), call, conditions...);
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

bool forbid_calls() {
  Filter filter;
  for (const int call : forbidden) filter.deny(call);
  const auto self = static_cast<std::uint64_t>(::getpid());
  // The group is this process's own, or it would not be killed alone.
  filter.deny(SCMP_SYS(kill), SCMP_A0(SCMP_CMP_NE, self));
  filter.deny(SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_NE, self));
  filter.deny(SCMP_SYS(rt_tgsigqueueinfo), SCMP_A0(SCMP_CMP_NE, self));
  filter.deny(SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_NE, 0));
  for (std::uint64_t flag = 1; flag <= namespaces; flag <<= 1)
    if (flag & namespaces) filter.deny(SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
  filter.hide(SCMP_SYS(clone3));
  return filter.load();
}

}  // namespace msci
