// METAL_FUNC, METAL_CONST_ARG and METAL_ENABLE_IF in declarations of a library.
#include <metal_stdlib>
using namespace metal;
METAL_FUNC float whole(int n METAL_CONST_ARG(n)) { return float(n); }
METAL_FUNC float2 both(float2 v, int axis METAL_CONST_ARG(axis)) { return axis == 0 ? v : v.yx; }
template <typename T> METAL_FUNC T raised(T x, const int n METAL_CONST_ARG(n)) { T y = T(1); for (int i = 0; i < n; ++i) y *= x; return y; }
struct Table {
  float entries[4];
  METAL_FUNC float at(uint i METAL_CONST_ARG(i)) const { return entries[i]; }
};
static METAL_FUNC bool is_set(uint bits, short bit METAL_CONST_ARG(bit)) { return (bits >> bit) & 1; }
kernel void all(device float* x, uint i [[thread_position_in_grid]]) {
  Table table = {{1, 2, 3, 4}};
  x[i] = whole(3) + both(float2(x[i]), 1).x + raised(x[i], 2) + table.at(2) + float(is_set(i, 1));
}
