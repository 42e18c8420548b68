// Memory of large arrays lies in large pages, freed memory serves later arrays, and what every
// start uses is there at once. Inputs and results take up to hundreds of megabytes, and a page
// fault for each 4 KiB of them takes longer than filling them.
#include <cstdlib>
#include <new>

#include "base/process/heap.h"

namespace {

// What begins as zeros, as the linker says.
extern "C" char __bss_start[], _end[];

// Before LLVM makes its thousands of options, which lie there and in the heap. From then on the
// heap keeps what is freed: each run of a kernel allocates and frees arrays of a few megabytes.
[[gnu::constructor(101)]] void fill_memory() {
  msci::fill_pages(__bss_start, static_cast<std::size_t>(_end - __bss_start));
  constexpr std::size_t usual_heap = std::size_t{512} << 10;
  msci::fill_heap(usual_heap);
}

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
