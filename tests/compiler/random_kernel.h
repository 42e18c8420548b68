// Random kernels with their expected outputs. Text and meaning are built together: each expression
// has a function that computes its value on the host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace msci {

// How random kernels are launched, and the sizes of what they read and write.
constexpr unsigned random_groups = 2;
constexpr unsigned random_threads = 48;  // per threadgroup: a whole simdgroup and a half
constexpr unsigned random_inputs = 64;
constexpr unsigned random_outputs = 14;  // words per thread

struct RandomKernel {
  std::string name;
  std::string text;                     // of the kernel alone
  std::vector<std::uint32_t> expected;  // random_outputs words of each thread
};

// Declarations that random kernels need, once at the beginning of a source.
std::string random_prelude();

// The same seed gives the same kernel. It reads `input`, which has random_inputs words.
RandomKernel make_random_kernel(std::string name, std::uint64_t seed,
                                const std::vector<std::uint32_t>& input);

}  // namespace msci
