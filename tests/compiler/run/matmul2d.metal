// language: metal4.0
// Products of matrices in registers and in memory. Each kernel counts the elements that are as a plain
// sum of products says.
#include <metal_stdlib>
#include <metal_tensor>
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
using namespace metal;
using namespace mpp::tensor_ops;
typedef matmul2d_descriptor::mode Mode;

// The operands: small whole numbers, so that sums are exact in every type.
inline int a_at(int row, int k) { return (3 * row + 5 * k) % 7 - 3; }
inline int b_at(int k, int column) { return (2 * k + 3 * column) % 5 - 2; }
inline int product_at(int row, int column, int depth) {
  int sum = 0;
  for (int k = 0; k < depth; ++k) sum += a_at(row, k) * b_at(k, column);
  return sum;
}

template <typename L, typename R, typename S, int m, int n, int k, bool left_is_transposed,
          bool right_is_transposed>
kernel void in_registers(device atomic_uint* right [[buffer(0)]]) {
  constexpr auto descriptor = matmul2d_descriptor(m, n, k, left_is_transposed, right_is_transposed, false,
                                                  Mode::multiply_accumulate);
  matmul2d<descriptor, execution_simdgroup> op;
  auto a = op.template get_left_input_cooperative_tensor<L, R, S>();
  auto b = op.template get_right_input_cooperative_tensor<L, R, S>();
  auto c = op.template get_destination_cooperative_tensor<decltype(a), decltype(b), S>();
  for (uint i = 0; i < a.get_capacity(); ++i) {
    const auto at = a.get_multidimensional_index(i);
    a[i] = L(left_is_transposed ? a_at(at[0], at[1]) : a_at(at[1], at[0]));
  }
  for (uint i = 0; i < b.get_capacity(); ++i) {
    const auto at = b.get_multidimensional_index(i);
    b[i] = R(right_is_transposed ? b_at(at[0], at[1]) : b_at(at[1], at[0]));
  }
  for (uint i = 0; i < c.get_capacity(); ++i) c[i] = S(i);
  op.run(a, b, c);
  uint count = 0;
  for (uint i = 0; i < c.get_capacity(); ++i) {
    const auto at = c.get_multidimensional_index(i);
    count += c.is_valid_element(i) && c[i] == S(int(i) + product_at(at[1], at[0], k));
  }
  atomic_fetch_add_explicit(right, count, memory_order_relaxed);
}
typedef device atomic_uint* Count;
// kernel: halves
// grid: 32
// threadgroup: 32
// in 0: uint 0
// out 0: uint 512
template [[host_name("halves")]] kernel void in_registers<half, half, float, 16, 32, 16, false, false>(Count);
// kernel: bfloats_right_transposed
// grid: 32
// threadgroup: 32
// in 0: uint 0
// out 0: uint 512
template [[host_name("bfloats_right_transposed")]] kernel void
in_registers<bfloat, bfloat, float, 16, 32, 16, false, true>(Count);
// kernel: floats_left_transposed
// grid: 32
// threadgroup: 32
// in 0: uint 0
// out 0: uint 512
template [[host_name("floats_left_transposed")]] kernel void
in_registers<float, float, float, 16, 32, 16, true, false>(Count);
// kernel: mixed_both_transposed
// grid: 64
// threadgroup: 64
// in 0: uint 0
// out 0: uint 2048
template [[host_name("mixed_both_transposed")]] kernel void
in_registers<float, half, half, 32, 32, 32, true, true>(Count);
// kernel: integers
// grid: 32
// threadgroup: 32
// in 0: uint 0
// out 0: uint 512
template [[host_name("integers")]] kernel void in_registers<char, char, int, 32, 16, 32, false, true>(Count);

// Which elements of a fragment a lane holds, as sources rely on.
//
// kernel: places
// grid: 32
// threadgroup: 32
// out 0: uint 32*16
kernel void places(device uint* right [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]]) {
  constexpr auto descriptor = matmul2d_descriptor(16, 32, 16);
  matmul2d<descriptor, execution_simdgroup> op;
  auto a = op.get_left_input_cooperative_tensor<half, half, float>();
  auto b = op.get_right_input_cooperative_tensor<half, half, float>();
  auto c = op.get_destination_cooperative_tensor<decltype(a), decltype(b), float>();
  const int quad = lane / 4, row = (quad & 4) + (lane / 2 & 3), column = 4 * ((quad & 2) + (lane & 1));
  uint count = 0;
  for (int i = 0; i < int(c.get_capacity()); ++i) {
    const auto at = c.get_multidimensional_index(i);
    count += at[0] == i / 8 * 16 + column + i % 4 && at[1] == row + i / 4 % 2 * 8;
  }
  right[lane] = count;
}

// Four simdgroups, the matrices in memory. The operands end inside of the product's tile, and beyond
// them there is something else.
template <bool left_is_transposed, bool right_is_transposed, typename Tensor>
void fill(Tensor view, int rows, int columns, bool is_left, uint thread_index) {
  for (int i = int(thread_index); i < rows * columns; i += 128) {
    const int x = i % columns, y = i / columns;
    view[x, y] = is_left ? (left_is_transposed ? a_at(x, y) : a_at(y, x))
                         : (right_is_transposed ? b_at(x, y) : b_at(y, x));
  }
}
template <bool left_is_transposed, bool right_is_transposed, bool accumulates>
kernel void in_memory(device atomic_uint* right [[buffer(0)]], device float* result [[buffer(1)]],
                      constant int& depth [[buffer(2)]], uint t [[thread_index_in_threadgroup]]) {
  constexpr int rows = 40, columns = 25;
  threadgroup half left[64 * 48];
  threadgroup float other[64 * 48];
  for (uint i = t; i < 64 * 48; i += 128) left[i] = other[i] = 99;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const int left_width = left_is_transposed ? rows : depth, right_width = right_is_transposed ? depth : columns;
  auto a = tensor(left, dextents<int, 2>(left_width, left_is_transposed ? depth : rows), array<int, 2>({1, 48}));
  auto b = tensor(other, dextents<int, 2>(right_width, right_is_transposed ? columns : depth),
                  array<int, 2>({1, 48}));
  fill<left_is_transposed, right_is_transposed>(a, left_is_transposed ? depth : rows, left_width, true, t);
  fill<left_is_transposed, right_is_transposed>(b, right_is_transposed ? columns : depth, right_width, false, t);
  auto d = tensor(result, dextents<int, 2>(48, 64));
  for (uint i = t; i < 48 * 64; i += 128) result[i] = 7;
  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);

  constexpr auto descriptor = matmul2d_descriptor(64, 32, static_cast<int>(dynamic_extent), left_is_transposed,
                                                  right_is_transposed, false,
                                                  accumulates ? Mode::multiply_accumulate : Mode::multiply);
  matmul2d<descriptor, execution_simdgroups<4>> op;
  auto target = d.slice(3, 0);
  uint count = 0;
  // Once into registers, without a first value, and once into memory.
  auto sums = op.template get_destination_cooperative_tensor<decltype(a), decltype(b), float>();
  op.run(a, b, sums);
  for (uint i = 0; i < sums.get_capacity(); ++i) {
    const auto at = sums.get_multidimensional_index(i);
    const int product = at[0] < columns && at[1] < rows ? product_at(at[1], at[0], depth) : 0;
    count += sums.is_valid_element(i) && sums[i] == product;
  }
  op.run(a, b, target);
  threadgroup_barrier(mem_flags::mem_device);
  for (int i = int(t); i < 48 * 64; i += 128) {
    const int x = i % 48 - 3, y = i / 48;
    const bool is_tile = x >= 0 && x < 32, is_product = is_tile && x < columns && y < rows;
    const int before = accumulates || !is_tile ? 7 : 0;
    count += result[i] == before + (is_product ? product_at(y, x, depth) : 0);
  }
  atomic_fetch_add_explicit(right, count, memory_order_relaxed);
}
// kernel: tiles
// grid: 128
// threadgroup: 128
// in 0: uint 0
// out 0: uint 5120
// in 1: float 3072*0
// in 2: int 37
template [[host_name("tiles")]] kernel void in_memory<false, false, false>(Count, device float*, constant int&, uint);
// kernel: tiles_left_transposed
// grid: 128
// threadgroup: 128
// in 0: uint 0
// out 0: uint 5120
// in 1: float 3072*0
// in 2: int 1
template [[host_name("tiles_left_transposed")]] kernel void
in_memory<true, false, true>(Count, device float*, constant int&, uint);
// kernel: tiles_right_transposed
// grid: 128
// threadgroup: 128
// in 0: uint 0
// out 0: uint 5120
// in 1: float 3072*0
// in 2: int 37
template [[host_name("tiles_right_transposed")]] kernel void
in_memory<false, true, true>(Count, device float*, constant int&, uint);

// One thread alone, and one operand in registers.
//
// kernel: other_scopes
// grid: 32
// threadgroup: 32
// out 0: uint 32*272
kernel void other_scopes(device uint* right [[buffer(0)]], uint lane [[thread_index_in_threadgroup]]) {
  threadgroup float a[16 * 16], b[16 * 16];
  for (int i = int(lane); i < 256; i += 32) {
    a[i] = a_at(i / 16, i % 16);
    b[i] = b_at(i / 16, i % 16);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  auto left = tensor(a, extents<int, 16, 16>()), other = tensor(b, extents<int, 16, 16>());
  uint count = 0;

  constexpr auto small = matmul2d_descriptor(4, 4, 16);
  matmul2d<small, execution_thread> alone;
  auto own = alone.get_destination_cooperative_tensor<decltype(left), decltype(other), float>();
  alone.run(left.slice(0, 3), other.slice(5, 0), own);
  for (int i = 0; i < 16; ++i) count += own[i] == product_at(3 + i / 4, 5 + i % 4, 16);

  constexpr auto whole = matmul2d_descriptor(16, 16, 16);
  matmul2d<whole, execution_simdgroup> together;
  auto held = together.get_left_input_cooperative_tensor<float, float, float>();
  held.load(left);
  auto sums = together.get_destination_cooperative_tensor<decltype(held), decltype(other), float>();
  together.run(held, other, sums);
  uint wrong = 0;
  for (uint i = 0; i < sums.get_capacity(); ++i) {
    const auto at = sums.get_multidimensional_index(i);
    wrong += sums[i] != product_at(at[1], at[0], 16);
  }
  right[lane] = count + 256 - 8 * wrong;
}
