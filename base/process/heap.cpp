#include "base/process/heap.h"

#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace msci {

void use_large_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  if (begin < end)  // without large pages, the memory is as good
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

bool keep_freed_memory() {
  constexpr int most_kept = 64 << 20;     // bytes at the end of the heap
  constexpr int most_in_heap = 32 << 20;  // bytes of an array; the most that glibc allows
  return ::mallopt(M_TRIM_THRESHOLD, most_kept) == 1 &&
         ::mallopt(M_MMAP_THRESHOLD, most_in_heap) == 1;
}

void reserve_heap(std::size_t bytes) {
  if (!keep_freed_memory()) return;
  void* volatile memory = std::malloc(bytes);  // volatile: the compiler must not leave it out
  if (memory) use_large_pages(memory, bytes);
  std::free(memory);
}

}  // namespace msci
