// WASI has no limits, and does not measure memory: this field of struct rusage is always zero.
#pragma once
#define ru_maxrss ru_utime.tv_sec
#include_next <sys/resource.h>

#ifndef RLIMIT_CORE
#define RLIMIT_DATA 2
#define RLIMIT_STACK 3
#define RLIMIT_CORE 4
#define RLIMIT_NOFILE 7
typedef unsigned long long rlim_t;
struct rlimit {
  rlim_t rlim_cur, rlim_max;
};
static inline int getrlimit(int which, struct rlimit* limit) {
  (void)which, (void)limit;
  return -1;
}
static inline int setrlimit(int which, const struct rlimit* limit) {
  (void)which, (void)limit;
  return -1;
}
#endif
