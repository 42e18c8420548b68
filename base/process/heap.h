// How the heap of this process grows and shrinks. Page faults for each 4 KiB can take longer than
// what a process does with its memory.
#pragma once

#include <cstddef>

namespace msci {

// Puts memory that nothing has used yet into pages of 2 MiB where the system has them.
void use_large_pages(void* memory, std::size_t bytes);

// Gives the pages of this memory to the process now. The system does that with one call in less
// time than with a page fault for each.
void fill_pages(void* memory, std::size_t bytes);

// Freed memory stays in this process and serves what it allocates later, arrays of less than 32 MiB
// included: the system would clear the pages again. False where the C library refuses.
bool keep_freed_memory();

// For a process that is about to allocate many small pieces, `bytes` in all, which are less than
// 32 MiB: the heap grows to hold them at once, in large pages.
void reserve_heap(std::size_t bytes);

// The same in pages of 4 KiB, which are there at once: for up to some MiB that will be used.
void fill_heap(std::size_t bytes);

}  // namespace msci
