// The vector and matrix types by the names that host code has for them.
#pragma clang system_header
#ifndef MSCI_SIMD
#define MSCI_SIMD
#include <metal_geometric>
#include <metal_matrix>
#include <metal_types>

#define $SIMD_VECTOR(type, name)                                                 \
  typedef metal::type simd_##name;                                               \
  typedef metal::type vector_##name;                                             \
  namespace simd {                                                               \
  using metal::type;                                                             \
  }
#define $SIMD_PACKED(type, name)                                                 \
  typedef metal::packed_##type simd_packed_##name;                               \
  namespace simd {                                                               \
  using metal::packed_##type;                                                    \
  }
#define $SIMD_VECTORS(type, name)                                                \
  $SIMD_VECTOR(type##2, name##2)                                                 \
  $SIMD_VECTOR(type##3, name##3)                                                 \
  $SIMD_VECTOR(type##4, name##4)
$SIMD_VECTORS(char, char)
$SIMD_VECTORS(uchar, uchar)
$SIMD_VECTORS(short, short)
$SIMD_VECTORS(ushort, ushort)
$SIMD_VECTORS(int, int)
$SIMD_VECTORS(uint, uint)
$SIMD_VECTORS(long, long)
$SIMD_VECTORS(ulong, ulong)
$SIMD_VECTORS(half, half)
$SIMD_VECTORS(float, float)
$SIMD_PACKED(float2, float2)
$SIMD_PACKED(float4, float4)

#define $SIMD_MATRICES(type)                                                     \
  $SIMD_MATRIX(type##2x2)                                                        \
  $SIMD_MATRIX(type##2x3)                                                        \
  $SIMD_MATRIX(type##2x4)                                                        \
  $SIMD_MATRIX(type##3x2)                                                        \
  $SIMD_MATRIX(type##3x3)                                                        \
  $SIMD_MATRIX(type##3x4)                                                        \
  $SIMD_MATRIX(type##4x2)                                                        \
  $SIMD_MATRIX(type##4x3)                                                        \
  $SIMD_MATRIX(type##4x4)
#define $SIMD_MATRIX(type)                                                       \
  typedef metal::type simd_##type;                                               \
  typedef metal::type matrix_##type;                                             \
  namespace simd {                                                               \
  using metal::type;                                                             \
  }
$SIMD_MATRICES(float)
$SIMD_MATRICES(half)

#endif
