// WASI has no users.
#pragma once
#include <stddef.h>
#include <sys/types.h>

struct passwd {
  char* pw_name;
  char* pw_dir;
};
static inline struct passwd* getpwnam(const char* name) {
  (void)name;
  return NULL;
}
static inline struct passwd* getpwuid(uid_t user) {
  (void)user;
  return NULL;
}
static inline int getpwnam_r(const char* name, struct passwd* entry, char* text, size_t size,
                             struct passwd** found) {
  (void)name, (void)entry, (void)text, (void)size;
  *found = NULL;
  return 0;
}
static inline int getpwuid_r(uid_t user, struct passwd* entry, char* text, size_t size,
                             struct passwd** found) {
  (void)user, (void)entry, (void)text, (void)size;
  *found = NULL;
  return 0;
}
