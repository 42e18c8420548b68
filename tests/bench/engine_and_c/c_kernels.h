// The seed kernels written by hand in C: plain loops that the compiler turns into vectors (of hmc,
// vectors of clang), and for two of them intrinsics. Each file of tests/bench/c has the kernels of
// a task and does the work of its seed, in the order of a programmer of C. The files are compiled
// twice, for AVX2 and for AVX-512, into namespaces of their own (MSCI_C_NAMESPACE).
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

namespace msci::c {

// `bound[i]`: what [[buffer(i)]] of a launch is bound to.
using Bound = std::byte* const*;

struct Kernel {
  std::string_view name;  // the Metal kernel's
  // How many rows, lines or particles the launch has, which threads share.
  unsigned (*count)(Bound bound);
  // Those from `first` to before `end`.
  void (*run)(Bound bound, unsigned first, unsigned end);
  unsigned least = 1;  // `first` is a multiple of it
  bool uses_intrinsics = false;
};

template <typename T>
T* buffer(Bound bound, unsigned index) {
  return reinterpret_cast<T*>(bound[index]);
}

template <typename T>
T value(Bound bound, unsigned index) {
  T result;
  std::memcpy(&result, bound[index], sizeof result);
  return result;
}

namespace avx2 {
std::span<const Kernel> kernels();
}
namespace avx512 {
std::span<const Kernel> kernels();
}

}  // namespace msci::c
