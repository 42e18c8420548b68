// Products of matrices. Each thread computes the elements of the destination that it holds, or
// would hold if that were a cooperative tensor. Products are added in the order of k, in 32 bits.
#pragma clang system_header
#ifndef MSCI_MPP_MATMUL_2D
#define MSCI_MPP_MATMUL_2D
#if __METAL_VERSION__ >= 400
#include <metal_stdlib>
#include <metal_tensor>

namespace mpp {
namespace tensor_ops {

// A size that the operands have, in place of a constant.
template <typename T>
struct dynamic_length {
  static constexpr T value = T(metal::dynamic_extent);
};
template <typename T>
constexpr T dynamic_length_v = dynamic_length<T>::value;

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

// An operand of a product. Element k of a line, which is a row of the left operand or a column of
// the right one. Beyond the last line, it is an element of the last one; beyond the last k, 0.
template <typename V, bool is_left, bool k_is_first>
struct $operand {
  const V& view;

  static constexpr int step = 1;  // how many k are added in one round
  int lines() const { return int(view.get_extent(k_is_first ? 1 : 0)); }
  int depth() const { return lines() > 0 ? int(view.get_extent(k_is_first ? 0 : 1)) : 0; }
  typename V::value_type get(int line, int k, bool is_inside) const {
    if (!is_inside) return 0;
    line = metal::min(line, lines() - 1);
    if constexpr (k_is_first) return view.get(k, line);
    else return view.get(line, k);
  }
};
// The simdgroup holds it. All lanes ask for the same k. A lane passes on one element at a time, so
// where the lanes ask for different elements of one lane, it passes on all of them.
template <typename T, typename E, typename Layout, bool is_left, bool k_is_first>
struct $operand<metal::cooperative_tensor<T, E, Layout>, is_left, k_is_first> {
  const metal::cooperative_tensor<T, E, Layout>& elements;

  static constexpr int step = (k_is_first ? Layout::$columns : Layout::$rows) % 4 == 0 ? 4 : 1;
  static constexpr int lines() { return k_is_first ? Layout::$rows : Layout::$columns; }
  static constexpr int depth() { return k_is_first ? Layout::$columns : Layout::$rows; }
  __attribute__((convergent)) T get(uint line, uint k, bool) const {
    const uint row = k_is_first ? line : k, column = k_is_first ? k : line;
    const uint down = Layout::$rows > 16 ? row / 16 : 0;
    const uint across = Layout::$columns > 16 ? column / 16 : 0;
    const uint upper = 8 * (down * Layout::$fragments_across + across), lower = upper + 4;
    const ushort lane = metal::$lane_of(row, column / 2);
    const bool is_lower = row & 8;
    if constexpr (is_left && !k_is_first) {
      const T a = pass(upper, lower, is_lower, lane);
      const T b = pass(upper + 1, lower + 1, is_lower, lane);
      const T c = pass(upper + 2, lower + 2, is_lower, lane);
      const T d = pass(upper + 3, lower + 3, is_lower, lane);
      return column & 2 ? (column & 1 ? d : c) : column & 1 ? b : a;
    } else if constexpr (!is_left && k_is_first) {
      const T a = metal::simd_shuffle(elements[upper + column % 4], lane);
      const T b = metal::simd_shuffle(elements[lower + column % 4], lane);
      return is_lower ? b : a;
    } else {
      return pass(upper + column % 4, lower + column % 4, is_lower, lane);
    }
  }

 private:
  // A choice between elements, by bits: LLVM makes a choice between places of `?:`, and would then
  // keep the elements in memory.
  __attribute__((convergent)) T pass(uint upper, uint lower, bool is_lower, ushort lane) const {
    const uint a = metal::$word(elements[upper]), b = metal::$word(elements[lower]);
    const uint chosen = is_lower ? ~0u : 0u;
    return metal::$value<T>(metal::simd_shuffle((a & ~chosen) | (b & chosen), lane));
  }
};

template <ulong descriptor, typename Scope, typename... Arguments>
struct matmul2d {
  static constexpr int $m = $size_in(descriptor, 0), $n = $size_in(descriptor, 1),
                       $k = $size_in(descriptor, 2);
  static constexpr bool $transposes_left = descriptor >> 60 & 1,
                        $transposes_right = descriptor >> 61 & 1, $accumulates = descriptor >> 63;
  template <typename T, int rows, int columns>
  using $part = metal::cooperative_tensor<T, metal::dextents<int, 2>,
                                          metal::$spread<rows, columns, Scope>>;

  template <typename L, typename R, typename T, typename I = int>
  auto get_left_input_cooperative_tensor() const {
    return $part<L, $transposes_left ? $k : $m, $transposes_left ? $m : $k>();
  }
  template <typename L, typename R, typename T, typename I = int>
  auto get_right_input_cooperative_tensor() const {
    return $part<R, $transposes_right ? $n : $k, $transposes_right ? $k : $n>();
  }
  template <typename L, typename R, typename T, typename I = int>
  $part<T, $m, $n> get_destination_cooperative_tensor() const { return {}; }
  template <typename L, typename R, typename T, typename I = int>
  $part<T, $m, 1> get_row_reduction_destination_cooperative_tensor() const { return {}; }
  template <typename L, typename R, typename T, typename I = int>
  $part<T, 1, $n> get_column_reduction_destination_cooperative_tensor() const { return {}; }

  template <typename L, typename R, typename T, typename E, typename S>
  __attribute__((convergent)) void run(const L& left, const R& right,
                                       metal::cooperative_tensor<T, E, S>& sums) const {
    // Only one simdgroup has operands in registers, and only memory has sizes of the run time.
    constexpr bool has_held =
        metal::is_cooperative_tensor_v<L> || metal::is_cooperative_tensor_v<R>;
    if constexpr ($m > 0 && $n > 0 &&
                  (!has_held || (metal::is_same_v<Scope, metal::execution_simdgroup> && $k > 0)))
      $multiply<S>($operand<L, true, !$transposes_left>{left},
                   $operand<R, false, $transposes_right>{right}, sums);
    else
      metal::$tensor_operation();
  }
  // A view of memory as the destination.
  template <typename L, typename R, typename T, typename E, typename... D>
  __attribute__((convergent)) void run(const L& left, const R& right,
                                       const metal::tensor<T, E, D...>& destination) const {
    $part<typename metal::tensor<T, E, D...>::value_type, $m, $n> sums;
    if constexpr ($accumulates) sums.load(destination);
    run(left, right, sums);
    sums.store(destination);
  }

 private:
  template <typename Spread, typename L, typename R, typename D>
  __attribute__((convergent)) static void $multiply(L left, R right, D& sums) {
    typedef typename D::element_type T;
    typedef metal::$wide<T> Sum;
    constexpr int down = Spread::$down, across = Spread::$across;
    constexpr int step = L::step > R::step ? L::step : R::step;
    int depth = metal::min(left.depth(), right.depth());
    if constexpr ($k > 0) depth = metal::min(depth, $k);
    for (int block = 0; block < Spread::$blocks; ++block) {
      const int row = Spread::$first_row(block), column = Spread::$first_column(block);
      Sum block_sums[down * across];
      for (int i = 0; i < down * across; ++i)
        block_sums[i] = $accumulates ? Sum(sums[block * down * across + i]) : Sum(0);
#pragma clang loop unroll(disable)
      for (int k = 0; k < depth; k += step)
        for (int next = k; next < k + step; ++next)
          $add<Spread>(left, right, row, column, next, next < depth, block_sums);
      for (int i = 0; i < down * across; ++i)
        if (row + i / across * Spread::$step < left.lines() && column + i % across < right.lines())
          sums[block * down * across + i] = T(block_sums[i]);
        else if (!$accumulates)
          sums[block * down * across + i] = 0;
    }
  }
  template <typename Spread, typename L, typename R, typename Sum>
  __attribute__((convergent)) static void $add(L left, R right, int row, int column, int k,
                                               bool is_inside, Sum* sums) {
    Sum a[Spread::$down], b[Spread::$across];
    for (int i = 0; i < Spread::$down; ++i)
      a[i] = Sum(left.get(row + i * Spread::$step, k, is_inside));
    for (int i = 0; i < Spread::$across; ++i) b[i] = Sum(right.get(column + i, k, is_inside));
    for (int i = 0; i < Spread::$down * Spread::$across; ++i)
      sums[i] += a[i / Spread::$across] * b[i % Spread::$across];
  }
};

}  // namespace tensor_ops
}  // namespace mpp
#endif
#endif
