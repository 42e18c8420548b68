// A layer of a network for images, as inference on phones does it: channels lie in fours in the
// layers of a texture array. Three kernels convert, convolve 3 x 3, and convert back.
#include <metal_stdlib>
using namespace metal;

struct Layer {
  uint channels;  // in the buffers, which have [y][x][channel]
  uint outputs;   // channels that the convolution makes
};

kernel void to_texture(device const float* values [[buffer(0)]],
                       constant Layer& layer [[buffer(1)]],
                       texture2d_array<half, access::write> to [[texture(0)]],
                       uint3 at [[thread_position_in_grid]]) {
  if (at.x >= to.get_width() || at.y >= to.get_height() || at.z >= to.get_array_size()) return;
  const uint pixel = at.y * to.get_width() + at.x;
  device const float* four = values + pixel * layer.channels + 4 * at.z;
  const uint left = layer.channels - 4 * at.z;  // the last four may be incomplete
  to.write(half4(half(four[0]), left > 1 ? half(four[1]) : 0.0h, left > 2 ? half(four[2]) : 0.0h,
                 left > 3 ? half(four[3]) : 0.0h),
           at.xy, at.z);
}

// The weights are [output][y][x][four of the inputs].
kernel void convolve(texture2d_array<half, access::read> from [[texture(0)]],
                     texture2d_array<half, access::write> to [[texture(1)]],
                     device const float4* weights [[buffer(0)]],
                     device const float* bias [[buffer(1)]],
                     constant Layer& layer [[buffer(2)]],
                     uint3 at [[thread_position_in_grid]]) {
  if (at.x >= to.get_width() || at.y >= to.get_height() || at.z >= to.get_array_size()) return;
  const uint fours = from.get_array_size();
  const int2 size = int2(from.get_width(), from.get_height());
  float4 sums = 0.0f;
  for (uint i = 0; i < 4; ++i) {
    const uint output = 4 * at.z + i;
    if (output >= layer.outputs) break;
    float sum = bias[output];
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 3; ++x) {
        const int2 place = int2(at.xy) + int2(x, y) - 1;
        if (any(place < 0) || any(place >= size)) continue;  // zeros around the image
        const uint first = (output * 9 + uint(3 * y + x)) * fours;
        for (uint four = 0; four < fours; ++four)
          sum += dot(weights[first + four], float4(from.read(uint2(place), four)));
      }
    }
    sums[i] = max(sum, 0.0f);
  }
  to.write(half4(sums), at.xy, at.z);
}

// One number per thread, so that neighbours write neighbours.
kernel void from_texture(texture2d_array<half, access::read> from [[texture(0)]],
                         device float* values [[buffer(0)]],
                         constant Layer& layer [[buffer(1)]],
                         uint3 at [[thread_position_in_grid]]) {
  const uint channel = at.x;
  const uint2 place = at.yz;
  if (channel >= layer.outputs || place.x >= from.get_width() || place.y >= from.get_height()) return;
  const half4 four = from.read(place, channel / 4);
  values[(place.y * from.get_width() + place.x) * layer.outputs + channel] = float(four[channel % 4]);
}
