#include <metal_stdlib>
using namespace metal;
constant float factor = 0.5f;
enum Kind { small, large };
struct Cell {
  float mass;
  float2 at;
  Cell(float m) : mass(m), at(0) {}
  float twice() const { return 2 * mass; }
};
namespace more { float one() { return 1; } }
template <typename T> T same(T x) { T y = x; return y + x; }
float overloaded(float x) { return x; }
float overloaded(int x) { return x; }
//    ^ references
//    ^ rename chosen
float declared(float x);
float use(float x) { return declared(x) + overloaded(x) + overloaded(1) + more::one(); }
//                          ^ references
//                          ^ references without declaration
//                          ^ rename announced
//                                                                        ^ references
//                                                                        ^ rename less
float declared(float x) { return x * factor; }
//                                   ^ rename scale
kernel void f(device const Cell* cells [[buffer(0)]], device float* y [[buffer(1)]],
//          ^ rename g
              uint i [[thread_position_in_grid]]) {
//                     ^ prepare
  float4 v = float4(cells[i].at, 0, 1);
  float x = v.x + cells[i].mass + cells[i].twice();
//                         ^ references
//                         ^ rename weight
//                                         ^ rename doubled
//      ^ rename first
//      ^ rename y
//      ^ rename float
//      ^ rename 2x
//      ^ rename __x
//      ^ rename device
//      ^ rename M_PI_F
//                ^ rename sources
//            ^ rename z
  Cell own(x);
//^ rename Element
  y[i] = same(own.mass) + same(v).y + dot(v, v) + (own.twice() > large ? 1 : 0);
//       ^ rename equal
//                                    ^ rename product
//                                    ^ prepare
//                                                               ^ rename big
//     ^ rename nothing
}
kernel void h(device float* y) { y[0] = 0; }
//          ^ rename f
