// language: metal4.0
// A layer of a network with the tensor operations of Metal 4: halves times halves, float sums, then
// a bias and no negative values. Tensors view buffers; four simdgroups compute a tile of 32 x 32.
// Sizes need not be multiples of the tile: what lies outside of a tensor is left out.
#include <metal_stdlib>
#include <metal_tensor>
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
using namespace metal;
using namespace mpp::tensor_ops;

constant constexpr int tile = 32;

struct Sizes {
  int rows;
  int inner;
  int columns;
};

kernel void linear_layer(device half* inputs [[buffer(0)]],
                         device half* weights [[buffer(1)]],
                         device const float* bias [[buffer(2)]],
                         device float* outputs [[buffer(3)]],
                         constant Sizes& sizes [[buffer(4)]],
                         uint2 group [[threadgroup_position_in_grid]]) {
  // The first extent runs fastest: a row of the matrix.
  const auto a = tensor(inputs, dextents<int, 2>(sizes.inner, sizes.rows));
  const auto b = tensor(weights, dextents<int, 2>(sizes.columns, sizes.inner));
  auto c = tensor(outputs, dextents<int, 2>(sizes.columns, sizes.rows));

  constexpr auto descriptor = matmul2d_descriptor(tile, tile, static_cast<int>(dynamic_extent));
  matmul2d<descriptor, execution_simdgroups<4>> product;
  const int row = int(group.y) * tile, column = int(group.x) * tile;
  auto left = a.slice(0, row);
  auto right = b.slice(column, 0);
  auto target = c.slice(column, row);

  auto sums = product.get_destination_cooperative_tensor<decltype(left), decltype(right), float>();
  product.run(left, right, sums);
  for (uint i = 0; i < sums.get_capacity(); ++i) {
    const int output = column + sums.get_multidimensional_index(i)[0];
    if (!sums.is_valid_element(i) || output >= sizes.columns) continue;
    sums[i] = max(sums[i] + bias[output], 0.0f);
  }
  sums.store(target);
}
