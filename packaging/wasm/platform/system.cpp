// Functions of the system that the C library of WASI lacks.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

// A new file for a template that ends in XXXXXX.
extern "C" int mkostemp(char* path, int flags) {
  auto* end = path + std::strlen(path) - 6;
  for (int attempt = 0; attempt < 100; ++attempt) {
    unsigned char random[6];
    if (::getentropy(random, sizeof random) != 0) return -1;
    for (int i = 0; i < 6; ++i) end[i] = "abcdefghijklmnopqrstuvwxyz012345"[random[i] % 32];
    const int file = ::open(path, O_RDWR | O_CREAT | O_EXCL | flags, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

// An advice, which may be ignored.
extern "C" int posix_madvise(void*, std::size_t, int) { return 0; }

extern "C" int memfd_create(const char*, unsigned) {
  errno = ENOSYS;
  return -1;
}

// The host says how many processors there are.
extern "C" long sysconf(int name) {
  if (name == _SC_PAGESIZE) return 65536;
  const char* processors = std::getenv("MSCI_PROCESSORS");
  if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
    return processors ? std::atol(processors) : 1;
  errno = EINVAL;
  return -1;
}
