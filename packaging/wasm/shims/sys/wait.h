// WASI has no processes.
#pragma once
#include <sys/types.h>

#define WNOHANG 1
#define WIFEXITED(status) 1
#define WEXITSTATUS(status) (status)
#define WIFSIGNALED(status) 0
#define WTERMSIG(status) 0
#define WCOREDUMP(status) 0
struct rusage;
static inline pid_t wait(int* status) {
  (void)status;
  return -1;
}
static inline pid_t waitpid(pid_t process, int* status, int options) {
  (void)process, (void)status, (void)options;
  return -1;
}
static inline pid_t wait4(pid_t process, int* status, int options, struct rusage* used) {
  (void)process, (void)status, (void)options, (void)used;
  return -1;
}
