// Random kernels that access memory at addresses made in every way that Metal has, most of them
// aimed at memory that is not theirs.
#pragma once

#include <cstdint>
#include <string>

namespace msci {

// Buffers of a wild kernel, by their indices: words that it reads and writes; numbers (ulong), of
// which the first four are addresses of memory that is not its own; and words for what it read.
// Threads: wild_threads, in threadgroups of wild_group.
constexpr unsigned wild_words = 256;
constexpr unsigned wild_numbers = 16;
constexpr unsigned wild_threads = 64;
constexpr unsigned wild_group = 64;

// A kernel of that name; the same for each seed.
std::string wild_kernel(const std::string& name, std::uint64_t seed);

}  // namespace msci
