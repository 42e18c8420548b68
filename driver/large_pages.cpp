// Memory of large arrays lies in large pages, and freed memory serves later arrays. Inputs and
// results take up to hundreds of megabytes, and a page fault for each 4 KiB of them takes longer
// than filling them.
#include <cstdlib>
#include <new>

#include "base/process/heap.h"

namespace {

// Each run of a kernel allocates and frees arrays of a few megabytes.
[[maybe_unused]] const bool keeps_freed_memory = msci::keep_freed_memory();

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
  if (bytes >= large) msci::use_large_pages(memory, bytes);
  return memory;
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
