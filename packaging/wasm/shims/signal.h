// WASI emulates signal() and raise(), and has no other handlers, masks and processes.
#pragma once
#include_next <signal.h>

#ifndef SIG_UNBLOCK
#include <sys/types.h>

#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_NODEFER 1
#define SA_RESETHAND 2
#define SA_ONSTACK 4
#define SA_SIGINFO 8
typedef struct {
  int si_signo;
  int si_code;
  pid_t si_pid;
  void* si_addr;
} wasi_siginfo;
#define siginfo_t wasi_siginfo
struct sigaction {
  void (*sa_handler)(int);
  void (*sa_sigaction)(int, siginfo_t*, void*);
  sigset_t sa_mask;
  int sa_flags;
};
static inline int sigemptyset(sigset_t* set) {
  (void)set;
  return 0;
}
static inline int sigfillset(sigset_t* set) {
  (void)set;
  return 0;
}
static inline int sigaddset(sigset_t* set, int signal) {
  (void)set, (void)signal;
  return 0;
}
static inline int sigprocmask(int how, const sigset_t* set, sigset_t* old) {
  (void)how, (void)set, (void)old;
  return 0;
}
static inline int sigaction(int signal, const struct sigaction* action, struct sigaction* old) {
  (void)signal, (void)action, (void)old;
  return 0;
}
static inline int kill(pid_t process, int signal) {
  (void)process, (void)signal;
  return -1;
}
#endif
