// Memory of large arrays lies in large pages, and freed memory serves later arrays. Inputs and
// results take up to hundreds of megabytes, and a page fault for each 4 KiB of them takes longer
// than filling them.
#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

void use_large_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  if (begin < end)  // without large pages, the memory is as good
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

// Each run of a kernel allocates and frees arrays of a few megabytes. The system clears pages that
// it gives out again, so the process keeps some instead.
[[maybe_unused]] const bool keeps_freed_memory = [] {
  constexpr int most_kept = 64 << 20;     // bytes at the end of the heap
  constexpr int most_in_heap = 32 << 20;  // bytes of an array; the most that glibc allows
  return ::mallopt(M_TRIM_THRESHOLD, most_kept) == 1 &&
         ::mallopt(M_MMAP_THRESHOLD, most_in_heap) == 1;
}();

}  // namespace

void* operator new(std::size_t bytes) {
  constexpr std::size_t large = std::size_t{4} << 20;
  void* memory = nullptr;
  while (!(memory = std::malloc(bytes > 0 ? bytes : 1))) {
    const auto handler =
        std::get_new_handler();  // as the standard says; isolated processes have one
    if (!handler) throw std::bad_alloc();
    handler();
  }
  if (bytes >= large) use_large_pages(memory, bytes);
  return memory;
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
