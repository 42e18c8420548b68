// The types of names, and what an editor selects, step by step: 😀
//                                                            ^ selection
#include <metal_stdlib>
using namespace metal;
#include "included.h"
struct Cell;
struct Cell { float mass; Shared other[4]; };
//                                ^ type
enum Kind { small, large };
using Alias = Cell;
template <typename T> struct Box { T held; };
Cell made(float x) { return {x, {}}; }
//     ^ type
template <typename T> T same(T x) { return x; }
kernel void f(device Cell* cells, constant Alias& one, uint i [[thread_position_in_grid]]) {
//                           ^ type
//                                           ^ type
//                                                  ^ type
//                                                       ^ type
  auto copy = cells[i];
//^ type
//      ^ type
  Kind kind = large;
//              ^ type
  float4 vector = float4(copy.mass);
//         ^ type
//                              ^ type
  thread Cell* rows[2] = {&copy, &copy};
//               ^ type
  Box<float> box{1};
//^ type
//            ^ type
  cells[i] = same(copy);
//             ^ type
  texture2d<float> image;
//                   ^ type
  rows[1]->mass = shared_half(rows[0]->other[0].shared_mass);
//                                       ^ type
//                                               ^ type
//         ^ type
  Shared shared = rows[0]->other[box.held > small];
//         ^ type
//                                 ^ type
//                                           ^ type
}
namespace more {
struct Cell { float mass; };
//                   ^ selection
}
#define HALF(x) ((x) / 2)
kernel void g(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
//                                 ^ selection
  for (uint k = 0; k < 4; ++k) {
//                ^ selection
    if (k > i) x[i + k] = 1.0f;
//                 ^ selection
    // A comment.
//     ^ selection

// ^ selection
    x[k] = HALF(x[i] + 2 * k);
//                         ^ selection
  }
  float part = ;
//      ^ selection
  return;
//       ^ selection
}
