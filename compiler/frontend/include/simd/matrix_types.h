// A part of <simd/simd.h>.
#pragma clang system_header
#include <simd/simd.h>
