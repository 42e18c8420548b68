// One explicit step of diffusion in a periodic box, seven points, where the rate differs from cell
// to cell: what flows through a face goes by the mean rate of its two cells.
#include <metal_stdlib>
using namespace metal;

// What comes from one neighbour.
static float inflow(device const float* u, device const float* rate, uint mine, uint other) {
  return 0.5f * (rate[mine] + rate[other]) * (u[other] - u[mine]);
}

kernel void diffuse(device const float* u_in [[buffer(0)]],
                    device const float* rate [[buffer(1)]],
                    device float* u_out [[buffer(2)]],
                    constant uint& nx [[buffer(3)]],
                    constant uint& ny [[buffer(4)]],
                    constant uint& nz [[buffer(5)]],
                    constant float& step [[buffer(6)]],
                    uint3 at [[thread_position_in_grid]]) {
  if (at.x >= nx || at.y >= ny || at.z >= nz) return;
  const uint left = at.x == 0 ? nx - 1 : at.x - 1;
  const uint right = at.x + 1 == nx ? 0 : at.x + 1;
  const uint front = at.y == 0 ? ny - 1 : at.y - 1;
  const uint back = at.y + 1 == ny ? 0 : at.y + 1;
  const uint below = at.z == 0 ? nz - 1 : at.z - 1;
  const uint above = at.z + 1 == nz ? 0 : at.z + 1;

  const uint cell = (at.z * ny + at.y) * nx + at.x;
  float flow = inflow(u_in, rate, cell, (at.z * ny + at.y) * nx + left);
  flow += inflow(u_in, rate, cell, (at.z * ny + at.y) * nx + right);
  flow += inflow(u_in, rate, cell, (at.z * ny + front) * nx + at.x);
  flow += inflow(u_in, rate, cell, (at.z * ny + back) * nx + at.x);
  flow += inflow(u_in, rate, cell, (below * ny + at.y) * nx + at.x);
  flow += inflow(u_in, rate, cell, (above * ny + at.y) * nx + at.x);
  u_out[cell] = u_in[cell] + step * flow;
}
