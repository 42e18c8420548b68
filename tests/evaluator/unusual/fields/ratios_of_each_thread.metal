// task: adi3d
//
// Every thread keeps its own ratios in private memory and asks nothing of its threadgroup.
#include <metal_stdlib>
using namespace metal;

constant uint longest = 256;

struct Line {
  uint first, stride, length;
  uint at(uint i) const { return first + i * stride; }
};

void sweep(device const float* u_in, device float* u_out, Line line, bool is_on_a_face, float mu) {
  const uint last = line.length - 1;
  if (is_on_a_face) {
    for (uint i = 0; i <= last; ++i) u_out[line.at(i)] = u_in[line.at(i)];
    return;
  }
  float ratio[longest];
  float value[longest];
  const float b = 1.0f + 2.0f * mu;
  ratio[0] = 0.0f;
  value[0] = u_in[line.at(0)];
  for (uint i = 1; i < last; ++i) {
    const float pivot = b + mu * ratio[i - 1];
    const float r = u_in[line.at(i)] + (i + 1 == last ? mu * u_in[line.at(last)] : 0.0f);
    ratio[i] = -mu / pivot;
    value[i] = (r + mu * value[i - 1]) / pivot;
  }
  u_out[line.at(0)] = value[0];
  u_out[line.at(last)] = u_in[line.at(last)];
  float after = 0.0f;
  for (uint i = last - 1; i > 0; --i) {
    after = i + 1 == last ? value[i] : value[i] - ratio[i] * after;
    u_out[line.at(i)] = after;
  }
}

kernel void adi_x(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                  constant uint& NZ [[buffer(4)]], constant float& mu [[buffer(5)]],
                  uint2 line [[thread_position_in_grid]]) {
  const bool is_on_a_face = any(line == 0) || any(line == uint2(NY, NZ) - 1);
  sweep(u_in, u_out, {(line.y * NY + line.x) * NX, 1, NX}, is_on_a_face, mu);
}

kernel void adi_y(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                  constant uint& NZ [[buffer(4)]], constant float& mu [[buffer(5)]],
                  uint2 line [[thread_position_in_grid]]) {
  const bool is_on_a_face = any(line == 0) || any(line == uint2(NX, NZ) - 1);
  sweep(u_in, u_out, {line.y * NY * NX + line.x, NX, NY}, is_on_a_face, mu);
}

kernel void adi_z(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                  constant uint& NZ [[buffer(4)]], constant float& mu [[buffer(5)]],
                  uint2 line [[thread_position_in_grid]]) {
  const bool is_on_a_face = any(line == 0) || any(line == uint2(NX, NY) - 1);
  sweep(u_in, u_out, {line.y * NX + line.x, NX * NY, NZ}, is_on_a_face, mu);
}
