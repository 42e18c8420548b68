#include "base/process/heap.h"

#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace msci {
namespace {

// Grows the heap by so many bytes; `prepare` gets them before anything lies there.
void grow_heap(std::size_t bytes, void (*prepare)(void* memory, std::size_t bytes)) {
  if (!keep_freed_memory()) return;
  void* volatile memory = std::malloc(bytes);  // volatile: the compiler must not leave it out
  if (memory) prepare(memory, bytes);
  std::free(memory);
}

}  // namespace

void use_large_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  if (begin < end)  // without large pages, the memory is as good
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

void fill_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t page = 4096;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(memory) + bytes;
  // Linux has this since 5.14; before, each page comes when it is used.
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE);
}

bool keep_freed_memory() {
  constexpr int most_kept = 64 << 20;     // bytes at the end of the heap
  constexpr int most_in_heap = 32 << 20;  // bytes of an array; the most that glibc allows
  return ::mallopt(M_TRIM_THRESHOLD, most_kept) == 1 &&
         ::mallopt(M_MMAP_THRESHOLD, most_in_heap) == 1;
}

void reserve_heap(std::size_t bytes) { grow_heap(bytes, use_large_pages); }
void fill_heap(std::size_t bytes) { grow_heap(bytes, fill_pages); }

}  // namespace msci
