#include "evaluator/device/sandbox.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace msci {
namespace {

// Drivers for processors keep the private arrays of a whole threadgroup on a thread's stack.
constexpr std::size_t stack_bytes = std::size_t{64} << 20;

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

// Sockets only of the kinds by which drivers talk to their own services on this machine; io_uring
// could make sockets too. Where the processor is another, or the system has no seccomp, nothing is
// forbidden.
void forbid_network() {
#if defined(__x86_64__)
  constexpr unsigned native = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  constexpr unsigned native = AUDIT_ARCH_AARCH64;
#endif
#if defined(__x86_64__) || defined(__aarch64__)
  constexpr unsigned foreign_calls = 0x40000000;  // x32: the same calls under other numbers
  constexpr auto load = BPF_LD | BPF_W | BPF_ABS;
  constexpr auto equals = BPF_JMP | BPF_JEQ | BPF_K;
  sock_filter rules[] = {
      BPF_STMT(load, offsetof(seccomp_data, arch)),
      BPF_JUMP(equals, native, 0, 8),
      BPF_STMT(load, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, foreign_calls, 6, 0),
      BPF_JUMP(equals, __NR_io_uring_setup, 5, 0),
      BPF_JUMP(equals, __NR_socket, 0, 3),
      BPF_STMT(load, offsetof(seccomp_data, args[0])),
      BPF_JUMP(equals, AF_UNIX, 1, 0),
      BPF_JUMP(equals, AF_NETLINK, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
  };
  sock_fprog program = {.len = sizeof rules / sizeof *rules, .filter = rules};
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#endif
}

}  // namespace

void restrict_process() {
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  set_limit(RLIMIT_CORE, 0);
  enlarge_stacks();
  forbid_network();
}

void limit_memory(std::size_t bytes) { set_limit(RLIMIT_AS, bytes); }

}  // namespace msci
