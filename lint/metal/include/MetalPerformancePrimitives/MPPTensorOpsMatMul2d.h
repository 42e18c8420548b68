// Products of matrices: declarations that sources are checked against. No operation is defined.
#pragma clang system_header
#ifndef MSCI_MPP_MATMUL_2D
#define MSCI_MPP_MATMUL_2D
#include <metal_stdlib>
#include <metal_tensor>

namespace mpp {
namespace tensor_ops {

// Sizes, and what is done with the operands. A template takes it as a number: C++17 has no template
// parameters of class type.
struct matmul2d_descriptor {
  enum class mode { multiply, multiply_accumulate };
  int m, n, k;
  bool transpose_left, transpose_right, relaxed_precision;
  mode matmul_mode;

  constexpr matmul2d_descriptor(int rows, int columns, int depth = int(metal::dynamic_extent),
                                bool transposes_left = false, bool transposes_right = false,
                                bool is_relaxed = false, mode how = mode::multiply)
      : m(rows), n(columns), k(depth), transpose_left(transposes_left),
        transpose_right(transposes_right), relaxed_precision(is_relaxed), matmul_mode(how) {}

  // 20 bits for each size, the highest of which is its sign.
  constexpr operator ulong() const {
    return ulong(m & 0xfffff) | ulong(n & 0xfffff) << 20 | ulong(k & 0xfffff) << 40 |
           ulong(transpose_left) << 60 | ulong(transpose_right) << 61 |
           ulong(relaxed_precision) << 62 | ulong(matmul_mode) << 63;
  }
};

constexpr int $size_in(ulong descriptor, int place) {
  const int size = int(descriptor >> (20 * place)) & 0xfffff;
  return size & 0x80000 ? size - 0x100000 : size;
}

// Sizes of which one may only be known at run time; each thread then holds at least one element.
template <int rows, int columns, int threads>
struct $spread {
  static constexpr int $capacity =
      rows > 0 && columns > 0 && rows * columns > threads ? rows * columns / threads : 1;
};

template <ulong descriptor, typename Scope, typename... Arguments>
struct matmul2d {
  static constexpr int $m = $size_in(descriptor, 0), $n = $size_in(descriptor, 1),
                       $k = $size_in(descriptor, 2);
  template <typename T, int rows, int columns>
  using $part = metal::cooperative_tensor<T, metal::dextents<int, 2>,
                                          $spread<rows, columns, Scope::$threads>>;

  template <typename L, typename R, typename T, typename I = int>
  $part<L, $m, $k> get_left_input_cooperative_tensor() const { return {}; }
  template <typename L, typename R, typename T, typename I = int>
  $part<R, $k, $n> get_right_input_cooperative_tensor() const { return {}; }
  template <typename L, typename R, typename T, typename I = int>
  $part<T, $m, $n> get_destination_cooperative_tensor() const { return {}; }
  template <typename L, typename R, typename T, typename I = int>
  $part<T, $m, 1> get_row_reduction_destination_cooperative_tensor() const { return {}; }
  template <typename L, typename R, typename T, typename I = int>
  $part<T, 1, $n> get_column_reduction_destination_cooperative_tensor() const { return {}; }

  // The destination is a cooperative tensor, which changes, or a view of memory, which stays.
  template <typename L, typename R, typename D>
  __attribute__((convergent)) void run(const L&, const R&, D&) const { metal::$tensor_operation(); }
  template <typename L, typename R, typename D>
  __attribute__((convergent)) void run(const L&, const R&, const D&) const {
    metal::$tensor_operation();
  }
};

}  // namespace tensor_ops
}  // namespace mpp
#endif
