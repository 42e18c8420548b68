// The vector and matrix types by the names that host code has for them: matrices.
#pragma clang system_header
#ifndef MSCI_SIMD
#define MSCI_SIMD
#include <metal_geometric>
#include <metal_matrix>
#include <metal_types>
#include <simd/vector_types.h>

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
