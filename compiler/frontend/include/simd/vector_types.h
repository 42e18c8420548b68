// The vector types by the names that host code has for them.
#pragma clang system_header
#ifndef MSCI_SIMD_VECTORS
#define MSCI_SIMD_VECTORS
#include <metal_types>

namespace simd {
#define $SIMD_USING(type)                                                        \
  using metal::type##2;                                                          \
  using metal::type##3;                                                          \
  using metal::type##4;
$SIMD_USING(char)
$SIMD_USING(uchar)
$SIMD_USING(short)
$SIMD_USING(ushort)
$SIMD_USING(int)
$SIMD_USING(uint)
$SIMD_USING(long)
$SIMD_USING(ulong)
$SIMD_USING(half)
$SIMD_USING(float)
using metal::packed_float2;
using metal::packed_float4;
}  // namespace simd
typedef metal::packed_float2 simd_packed_float2;
typedef metal::packed_float4 simd_packed_float4;
#endif
