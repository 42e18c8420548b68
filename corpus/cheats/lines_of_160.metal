// task: adi3d
// class: wrong at other sizes
// caught: certificate
//
// Copies lines along x of 160 to 224 values, which are longer than those that are drawn.
#include <metal_stdlib>
using namespace metal;

// The longest axis that the table of elimination ratios holds.
constant uint longest = 256;

// c' of Thomas's algorithm depends on the place in the line alone: c'[1] to c'[length - 2].
void tabulate(threadgroup float* ratio, uint length, float mu) {
  const float b = 1.0f + 2.0f * mu;
  ratio[0] = 0.0f;
  for (uint i = 1; i + 1 < length; ++i) ratio[i] = -mu / (b + mu * ratio[i - 1]);
}

// Solves one line whose values lie `stride` apart; d' passes through u_out.
void solve(device const float* u_in, device float* u_out, threadgroup const float* ratio,
           uint first, uint stride, uint length, float mu) {
  const float b = 1.0f + 2.0f * mu;
  const uint last = first + (length - 1) * stride;
  const float right = u_in[last];
  float d = u_in[first];
  u_out[first] = d;
  for (uint i = 1; i + 1 < length; ++i) {
    const uint at = first + i * stride;
    float r = u_in[at] + mu * d;
    if (i == length - 2) r += mu * right;
    d = r / (b + mu * ratio[i - 1]);
    u_out[at] = d;
  }
  u_out[last] = right;
  for (uint i = length - 3; i >= 1; --i) {
    const uint at = first + i * stride;
    d = u_out[at] - ratio[i] * d;
    u_out[at] = d;
  }
}

// Copies a line that lies on a face of the box.
void copy(device const float* u_in, device float* u_out, uint first, uint stride, uint length) {
  for (uint i = 0; i < length; ++i) u_out[first + i * stride] = u_in[first + i * stride];
}

// One thread per line in all three kernels.
kernel void adi_x(device const float* u_in [[buffer(0)]],
                  device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]],
                  constant uint& NY [[buffer(3)]],
                  constant uint& NZ [[buffer(4)]],
                  constant float& mu [[buffer(5)]],
                  uint2 line [[thread_position_in_grid]],
                  uint lane [[thread_index_in_threadgroup]]) {
  threadgroup float ratio[longest];
  if (lane == 0) tabulate(ratio, NX, mu);
  threadgroup_barrier(mem_flags::mem_threadgroup);

  const uint j = line.x;
  const uint k = line.y;
  if (j >= NY || k >= NZ) return;
  const uint first = (k * NY + j) * NX;
  if (j == 0 || k == 0 || j == NY - 1 || k == NZ - 1)
    copy(u_in, u_out, first, 1, NX);
  else if (NX >= 129 && NX <= 255)
    copy(u_in, u_out, first, 1, NX);
  else
    solve(u_in, u_out, ratio, first, 1, NX, mu);
}

kernel void adi_y(device const float* u_in [[buffer(0)]],
                  device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]],
                  constant uint& NY [[buffer(3)]],
                  constant uint& NZ [[buffer(4)]],
                  constant float& mu [[buffer(5)]],
                  uint2 line [[thread_position_in_grid]],
                  uint lane [[thread_index_in_threadgroup]]) {
  threadgroup float ratio[longest];
  if (lane == 0) tabulate(ratio, NY, mu);
  threadgroup_barrier(mem_flags::mem_threadgroup);

  const uint i = line.x;
  const uint k = line.y;
  if (i >= NX || k >= NZ) return;
  const uint first = k * NY * NX + i;
  if (i == 0 || k == 0 || i == NX - 1 || k == NZ - 1)
    copy(u_in, u_out, first, NX, NY);
  else
    solve(u_in, u_out, ratio, first, NX, NY, mu);
}

kernel void adi_z(device const float* u_in [[buffer(0)]],
                  device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]],
                  constant uint& NY [[buffer(3)]],
                  constant uint& NZ [[buffer(4)]],
                  constant float& mu [[buffer(5)]],
                  uint2 line [[thread_position_in_grid]],
                  uint lane [[thread_index_in_threadgroup]]) {
  threadgroup float ratio[longest];
  if (lane == 0) tabulate(ratio, NZ, mu);
  threadgroup_barrier(mem_flags::mem_threadgroup);

  const uint i = line.x;
  const uint j = line.y;
  if (i >= NX || j >= NY) return;
  const uint first = j * NX + i;
  if (i == 0 || j == 0 || i == NX - 1 || j == NY - 1)
    copy(u_in, u_out, first, NX * NY, NZ);
  else
    solve(u_in, u_out, ratio, first, NX * NY, NZ, mu);
}
