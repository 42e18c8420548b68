// Names of an included file.
#include <metal_stdlib>
//        ^ definition
#include "included.h"
//        ^ definition
//? links
kernel void f(device Shared* cells, uint i [[thread_position_in_grid]]) {
  cells[i].shared_mass = plain(cells[i].shared_mass);
//                       ^ references
//                       ^ definition
//                       ^ rename simple
//         ^ rename weight
  cells[i].shared_mass = SHARED_HALF(1);
}
float g() { return shared_half(1) + plain(2); }
//                 ^ rename halved
//                                  ^ references without declaration
