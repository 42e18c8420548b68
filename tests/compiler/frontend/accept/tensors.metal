// language: metal4.0
// Tensors in memory, and products that simdgroups compute together.
#include <metal_stdlib>
#include <metal_tensor>
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
using namespace metal;

#define ROWS 64
#define COLUMNS 32

// Views of memory, made in a kernel, with sizes that are known or not.
template <typename T>
kernel void tiles(device const T* a [[buffer(0)]], device float* d [[buffer(1)]],
                  constant int& depth [[buffer(2)]], threadgroup char* shared [[threadgroup(0)]],
                  uint3 group [[threadgroup_position_in_grid]]) {
  threadgroup T* sa = (threadgroup T*)(shared);
  auto whole = tensor(sa, dextents<int32_t, 2>(depth, ROWS));
  const int stride = depth;
  auto strided = tensor(a, dextents<int32_t, 2>(depth, COLUMNS), array<int, 2>({1, stride}));
  auto fixed = tensor<threadgroup T, dextents<int32_t, 2>, tensor_inline>(sa, dextents<int32_t, 2>(8, 8));
  auto square = tensor<threadgroup T, extents<int32_t, 8, 8>, tensor_inline>(sa, extents<int32_t, 8, 8>());

  mpp::tensor_ops::matmul2d<
      mpp::tensor_ops::matmul2d_descriptor(
          COLUMNS, ROWS, static_cast<int>(dynamic_extent), false, true, true,
          mpp::tensor_ops::matmul2d_descriptor::mode::multiply_accumulate),
      execution_simdgroups<4>> product;
  auto sum = product.template get_destination_cooperative_tensor<decltype(strided), decltype(whole), float>();
  product.run(strided, whole, sum);
  auto part = fixed.slice(0, 0);
  product.run(strided, part, sum);
  auto target = tensor(d, dextents<int32_t, 2>(ROWS, COLUMNS), array<int, 2>({1, ROWS}));
  sum.store(target.slice(group.x * ROWS, group.y));
  d[0] = float(fixed.get_extent(1)) + float(square[1, 2]) + float(whole.get_stride(1));
}
template [[host_name("tiles_half")]] kernel void tiles<half>(device const half*, device float*,
                                                             constant int&, threadgroup char*, uint3);

// Operands in registers; the descriptor is a constant of the function.
template <typename C, typename A, typename B, bool transpose>
METAL_FUNC void multiply(thread vec<C, 4>& c, const thread vec<A, 4>& a, const thread vec<B, 4>& b,
                         metal::bool_constant<transpose>) {
  constexpr auto descriptor = mpp::tensor_ops::matmul2d_descriptor(
      16, 32, 16, false, transpose, true,
      mpp::tensor_ops::matmul2d_descriptor::mode::multiply_accumulate);
  mpp::tensor_ops::matmul2d<descriptor, metal::execution_simdgroup> product;
  auto left = product.template get_left_input_cooperative_tensor<A, B, C>();
  auto right = product.template get_right_input_cooperative_tensor<A, B, C>();
  auto sum = product.template get_destination_cooperative_tensor<
      metal::remove_addrspace_t<decltype(left)>, metal::remove_addrspace_t<decltype(right)>, C>();
  static_assert(sizeof(left) == 8 * sizeof(A) && sizeof(right) == 16 * sizeof(B), "");
  for (short i = 0; i < 4; i++) {
    left[i] = a[i];
    right[4 + i] = b[i];
    sum[i] = c[i];
  }
  product.run(left, right, sum);
  for (short i = 0; i < 4; i++) c[i] = sum[i];
}

// Tensors that the host binds.
kernel void bound(tensor<device half, dextents<int32_t, 2>> a [[buffer(0)]],
                  tensor<device half, dextents<int32_t, 2>> b [[buffer(1)]],
                  tensor<device float, dextents<int32_t, 2>> c [[buffer(2)]],
                  uint2 group [[threadgroup_position_in_grid]]) {
  constexpr auto descriptor = mpp::tensor_ops::matmul2d_descriptor(64, 32);
  mpp::tensor_ops::matmul2d<descriptor, execution_simdgroups<4>> product;
  auto rows = a.slice(0, group.y * 64);
  auto columns = b.slice<32, dynamic_extent>(group.x * 32, 0);
  auto target = c.slice(group.x * 32, group.y * 64);
  product.run(rows, columns, target);
  float4 sum = 0, x = 1;
  multiply(sum, x, x, metal::bool_constant<true>());
  auto held = product.get_destination_cooperative_tensor<decltype(rows), decltype(columns), float>();
  for (uint i = 0; i < held.get_capacity(); ++i)
    if (held.is_valid_element(i)) held[i] = sum.x + held.get_multidimensional_index(i)[0];
  held.store(target);
}
