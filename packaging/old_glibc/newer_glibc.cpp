// Functions of glibc 2.32 to 2.36 that the programs or the archives in them use, for programs that
// also run with glibc 2.31 (packaging/old_glibc.cmake).
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

namespace {

struct FolderEntry {  // as getdents64(2) writes it
  std::uint64_t inode;
  std::int64_t offset;
  unsigned short bytes;
  unsigned char type;
  char name[];
};

// The number that `name` is, or `none`, for "." and "..".
constexpr unsigned none = ~0U;

unsigned number_of(const char* name) {
  unsigned number = 0;
  for (; *name != '\0'; ++name) {
    if (*name < '0' || *name > '9') return none;
    number = number * 10 + static_cast<unsigned>(*name - '0');
  }
  return number;
}

// Closes the files from `first` to `last` that /proc lists. Entries move when files are closed, so
// it begins again until nothing is left to close.
int close_listed(unsigned first, unsigned last) {
  const int folder = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -1;
  alignas(FolderEntry) char entries[4096];
  for (bool closed = true; closed;) {
    closed = false;
    ::lseek(folder, 0, SEEK_SET);
    for (long bytes; (bytes = ::syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;)
      for (long at = 0; at < bytes;) {
        const auto& entry = *reinterpret_cast<const FolderEntry*>(entries + at);
        at += entry.bytes;
        const auto file = number_of(entry.name);
        if (file == none || file < first || file > last || static_cast<int>(file) == folder)
          continue;
        ::close(static_cast<int>(file));
        closed = true;
      }
  }
  return ::close(folder);
}

}  // namespace

#pragma GCC visibility push(hidden)
extern "C" {

// libstdc++ then counts references with atomic operations also before the first thread starts.
char __libc_single_threaded = 0;

// Until 2.33, these were macros and not symbols of the shared library. The kernel's struct is
// glibc's on 64-bit systems.
static_assert(sizeof(void*) == 8);

int stat(const char* path, struct stat* to) {
  return static_cast<int>(::syscall(SYS_newfstatat, AT_FDCWD, path, to, 0));
}

int lstat(const char* path, struct stat* to) {
  return static_cast<int>(::syscall(SYS_newfstatat, AT_FDCWD, path, to, AT_SYMLINK_NOFOLLOW));
}

int fstat(int file, struct stat* to) { return static_cast<int>(::syscall(SYS_fstat, file, to)); }

int fstatat(int folder, const char* path, struct stat* to, int flags) {
  return static_cast<int>(::syscall(SYS_newfstatat, folder, path, to, flags));
}

int stat64(const char* path, struct stat64* to) {
  return ::stat(path, reinterpret_cast<struct stat*>(to));
}

int lstat64(const char* path, struct stat64* to) {
  return ::lstat(path, reinterpret_cast<struct stat*>(to));
}

int fstat64(int file, struct stat64* to) {
  return ::fstat(file, reinterpret_cast<struct stat*>(to));
}

int fstatat64(int folder, const char* path, struct stat64* to, int flags) {
  return ::fstatat(folder, path, reinterpret_cast<struct stat*>(to), flags);
}

int mknod(const char* path, mode_t mode, dev_t device) {
  return static_cast<int>(::syscall(SYS_mknodat, AT_FDCWD, path, mode, device));
}

// Linux 5.9 has the system call. This runs between vfork and exec, so it uses only the stack and
// system calls.
int close_range(unsigned first, unsigned last, int flags) noexcept {
  const auto closed = static_cast<int>(::syscall(SYS_close_range, first, last, flags));
  if (closed == 0 || errno != ENOSYS || flags != 0) return closed;
  return close_listed(first, last);
}

std::uint32_t arc4random() {
  std::uint32_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) std::abort();  // as glibc's does
  return number;
}

struct mallinfo2 mallinfo2() {
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const auto now = ::mallinfo();
  struct mallinfo2 wide = {};
  wide.arena = static_cast<unsigned>(now.arena);
  wide.ordblks = static_cast<unsigned>(now.ordblks);
  wide.hblks = static_cast<unsigned>(now.hblks);
  wide.hblkhd = static_cast<unsigned>(now.hblkhd);
  wide.uordblks = static_cast<unsigned>(now.uordblks);
  wide.fordblks = static_cast<unsigned>(now.fordblks);
  wide.keepcost = static_cast<unsigned>(now.keepcost);
  return wide;
}

// libgcc's unwinder asks this for the unwind table of the code at `address`.
int _dl_find_object(void* address, struct dl_find_object* found) {
  struct Search {
    std::uintptr_t address;
    struct dl_find_object* found;
  } search = {reinterpret_cast<std::uintptr_t>(address), found};
  const auto covers_address = [](dl_phdr_info* object, std::size_t, void* of) {
    auto& search = *static_cast<Search*>(of);
    std::uintptr_t begin = UINTPTR_MAX, end = 0, table = 0;
    bool covers = false;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& segment = object->dlpi_phdr[i];
      const auto from = object->dlpi_addr + segment.p_vaddr, to = from + segment.p_memsz;
      if (segment.p_type == PT_GNU_EH_FRAME) table = from;
      if (segment.p_type != PT_LOAD) continue;
      covers |= from <= search.address && search.address < to;
      if (from < begin) begin = from;
      if (to > end) end = to;
    }
    if (!covers || table == 0) return 0;
    *search.found = {};
    search.found->dlfo_map_start = reinterpret_cast<void*>(begin);
    search.found->dlfo_map_end = reinterpret_cast<void*>(end);
    search.found->dlfo_eh_frame = reinterpret_cast<void*>(table);
    return 1;
  };
  return ::dl_iterate_phdr(covers_address, &search) == 1 ? 0 : -1;
}

// Until 2.34, programs ran their own constructors: glibc calls the function that they pass. Later
// ones call it, too, if a program passes one.
using Constructor = void (*)(int, char**, char**);
extern Constructor __init_array_start[];
extern Constructor __init_array_end[];
void _init();

static void run_constructors(int argc, char** argv, char** environment) {
  _init();
  for (auto* each = __init_array_start; each != __init_array_end; ++each)
    (*each)(argc, argv, environment);
}

using Main = int (*)(int, char**, char**);
int __real___libc_start_main(Main, int, char**, Constructor, void (*)(), void (*)(), void*);

int __wrap___libc_start_main(Main main, int argc, char** argv, Constructor, void (*finish)(),
                             void (*finish_libraries)(), void* stack_end) {
  return __real___libc_start_main(main, argc, argv, run_constructors, finish, finish_libraries,
                                  stack_end);
}

}  // extern "C"
#pragma GCC visibility pop
