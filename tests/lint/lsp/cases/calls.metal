// Which functions call which.
#include <metal_stdlib>
using namespace metal;
#include "included.h"
struct Cell {
  float mass;
  Cell(float m) : mass(plain(m)) {}
//                     ^ callers
  float twice() const { return plain(mass) + plain(mass); }
//      ^ callers
//      ^ callees
};
float announced(float x);
//    ^ callers
float middle(float x) { return announced(x) * announced(2) + dot(float2(x), float2(x)); }
//    ^ callees
//    ^ callers
//                             ^ callees
//                                                           ^ callers
//         ^ callers
//                 ^ callers
float announced(float x) { return plain(x); }
template <typename T> T same(T x) { return x; }
template <typename T> T twice_same(T x) { return same(x) + same(same(x)); }
//                      ^ callees
template <> float twice_same<float>(float x) { return announced(x); }
template <typename T> T never(T x) { return middle(x) + same(x); }
kernel void f(device float* x, uint i [[thread_position_in_grid]]) {
//          ^ callees
//          ^ callers
  Cell cell(x[i]);
//     ^ callees
  x[i] = middle(cell.twice()) + SHARED_HALF(1) + same(1) + twice_same(2) + twice_same(2.0f);
//                                               ^ callers
//                                                         ^ callers
//                              ^ callers
}
