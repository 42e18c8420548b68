// Headers that Metal lacks.
#include <metal_stdlib>
#include <cmath>  // expect: 'cmath' file not found
