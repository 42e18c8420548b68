// WASI has no shared libraries, so no address belongs to one.
#pragma once
#include_next <dlfcn.h>

typedef struct {
  const char* dli_fname;
  void* dli_fbase;
  const char* dli_sname;
  void* dli_saddr;
} Dl_info;
static inline int dladdr(const void* address, Dl_info* info) {
  (void)address, (void)info;
  return 0;
}
