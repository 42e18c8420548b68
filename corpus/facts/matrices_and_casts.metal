// Facts: matrices and casts. ../README.md explains the lines that begin a source.
// --- matrix_of_integers: refused | a matrix holds float, half or bfloat
// evidence: Metal Shading Language specification: matrices hold float, half or bfloat
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  matrix<int, 2, 2> n;
  out[i] = n[0][0] + m[0][0];
}

// --- matrix_of_structs: refused
// evidence: Metal Shading Language specification: matrices hold float, half or bfloat
struct S {
  float a;
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  matrix<S, 2, 2> n;
  out[i] = m[0][0];
}

// --- matrix_of_halves: accepted
// evidence: Metal Shading Language specification: matrices
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  matrix<half, 2, 3> n(1);
  out[i] = n[0][0] + m[0][0];
}

// --- matrix_times_int: refused | invalid operands to binary expression
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  out[i] = (m * 2)[0][0];
}

// --- int_times_matrix: refused | invalid operands to binary expression
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  out[i] = (2 * m)[0][0];
}

// --- matrix_times_float: accepted
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  out[i] = (m * 2.0f + 0.5f * m)[0][0];
}

// --- matrix_times_packed: refused | invalid operands to binary expression
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* out [[buffer(0)]], device packed_float3* p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  out[i] = (m * p[i]).x;
}

// --- packed_times_matrix: refused | invalid operands to binary expression
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* out [[buffer(0)]], device packed_float3* p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  out[i] = (p[i] * m).x;
}

// --- matrix_times_vector: accepted
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* out [[buffer(0)]], device packed_float3* p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  out[i] = (m * float3(p[i])).x + (float3(p[i]) * m).y;
}

// --- matrix_times_longer_vector: refused
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  out[i] = (m * float4(1)).x;
}

// --- sum_of_matrices_of_two_sizes: refused | invalid operands to binary expression
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  out[i] = (m + float2x2(1))[0][0];
}

// --- sum_of_matrices: accepted
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  out[i] = (m + m - transpose(m))[0][0] + determinant(m);
}

// --- as_type_of_a_struct: refused | as_type cast from 'S' to 'float' is not allowed
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct S {
  float a;
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  S s{1};
  out[i] = as_type<float>(s) + m[0][0];
}

// --- as_type_to_a_struct: refused | as_type cast from 'float' to 'S' is not allowed
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct S {
  float a;
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  out[i] = as_type<S>(out[i]).a + m[0][0];
}

// --- as_type_of_an_array: refused | is not allowed
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  float a[2] = {1, 2};
  out[i] = as_type<float2>(a).x + m[0][0];
}

// --- as_type_of_another_size: refused
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  out[i] = as_type<float>(1.0h) + m[0][0];
}

// --- as_type: accepted
// evidence: Metal Shading Language specification: as_type
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  out[i] = as_type<float>(as_type<uint>(out[i])) + as_type<int4>(float4(1)).x + as_type<float>(half2(1)) + m[0][0];
}

// --- matrix_as_float: refused
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(2);
  float f = m;
  out[i] = f;
}
