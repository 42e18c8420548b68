// WASI has neither processes, users nor pipes: these calls fail.
#pragma once
#include_next <unistd.h>

static inline unsigned alarm(unsigned seconds) {
  (void)seconds;
  return 0;
}
static inline pid_t fork(void) { return -1; }
static inline pid_t getsid(pid_t process) {
  (void)process;
  return 0;
}
static inline pid_t setsid(void) { return -1; }
static inline int execv(const char* program, char* const* arguments) {
  (void)program, (void)arguments;
  return -1;
}
static inline int execve(const char* program, char* const* arguments, char* const* environment) {
  (void)program, (void)arguments, (void)environment;
  return -1;
}
static inline int pipe(int* ends) {
  (void)ends;
  return -1;
}
static inline int pipe2(int* ends, int flags) {
  (void)ends, (void)flags;
  return -1;
}
static inline int dup(int file) {
  (void)file;
  return -1;
}
static inline int dup2(int file, int as) {
  (void)file, (void)as;
  return -1;
}
static inline uid_t getuid(void) { return 0; }
static inline uid_t geteuid(void) { return 0; }
static inline int fchown(int file, uid_t user, gid_t group) {
  (void)file, (void)user, (void)group;
  return 0;
}
