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

// --- matrix_of_uints: refused
// evidence: Metal Shading Language specification: matrices hold float, half or bfloat
typedef matrix<uint, 3, 3> Table;
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sizeof(Table);
}

// --- matrix_of_uchar_in_a_template: refused
// evidence: Metal Shading Language specification: matrices hold float, half or bfloat
template <typename T>
float size() { return sizeof(matrix<T, 2, 2>); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = size<uchar>();
}

// --- matrix_of_five: refused
// evidence: Metal Shading Language specification: matrices hold float, half or bfloat
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sizeof(matrix<float, 5, 5>);
}

// --- name_of_five: refused | unknown type name 'float5x5'
// evidence: Metal Shading Language specification: matrices hold float, half or bfloat
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float5x5 m;
  x[i] = 1;
}

// --- name_of_ints: refused
// evidence: Metal Shading Language specification: matrices hold float, half or bfloat
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sizeof(int2x2);
}

// --- columns_that_differ: refused
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float4* x [[buffer(0)]], constant float3x3& m [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = m * x[i];
}

// --- rows_that_differ: refused
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float3* x [[buffer(0)]], constant float4x4& m [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = (x[i] * m).xyz;
}

// --- product_of_two_shapes: refused | invalid operands to binary expression
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2x3 a(1), b(2);
  x[i] = (a * b)[0].x;
}

// --- matrix_plus_scalar: refused
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4x4 m(1);
  m = m + 1.0f;
  x[i] = m[0].x;
}

// --- matrix_plus_vector: refused
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4x4 m(1);
  m = m + x[i];
  x[i] = m[0];
}

// --- sum_of_two_scalars: refused
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 a(1);
  half3x3 b(1);
  x[i] = (a + b)[0].x;
}

// --- remainder_of_a_matrix: refused | invalid operands to binary expression
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2x2 a(1);
  x[i] = (a % 2)[0].x;
}

// --- matrix_as_a_condition: refused
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2x2 a(1);
  x[i] = a ? 1 : 2;
}

// --- component_of_a_matrix: refused
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2x2 a(1);
  x[i] = a.x;
}

// --- matrix_as_a_vector: refused
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2x2 a(1);
  x[i] = a;
}

// --- smaller_matrix: refused
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4x4 m(1);
  float3x3 n(m);
  x[i] = n[0].x;
}

// --- determinant_of_two_shapes: refused
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2x3 m(1);
  x[i] = determinant(m);
}

// --- inverse: refused | use of undeclared identifier 'inverse'
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4x4 m(1);
  x[i] = inverse(m)[0].x;
}

// --- sum_of_shapes_assigned: refused
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2x3 m(1);
  float3x2 n(1);
  m += n;
  x[i] = m[0].x;
}

// --- transpose_of_another_shape: refused
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2x3 m(1);
  float2x3 n = transpose(m);
  x[i] = n[0].x;
}

// --- as_type_of_half2_to_float2: refused
// evidence: Metal Shading Language specification: as_type
kernel void k(device float2* x [[buffer(0)]], device half2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = as_type<float2>(y[i]);
}

// --- as_type_of_int_to_long: refused
// evidence: Metal Shading Language specification: as_type
kernel void k(device long* x [[buffer(0)]], device int* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = as_type<long>(y[i]);
}

// --- as_type_of_float_to_short: refused
// evidence: Metal Shading Language specification: as_type
kernel void k(device short* x [[buffer(0)]], device float* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = as_type<short>(y[i]);
}

// --- as_type_of_a_named_size: refused
// evidence: Metal Shading Language specification: as_type
typedef uint Bits;
kernel void k(device half* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = as_type<Bits>(x[i]);
}

// --- as_type_in_a_template: refused
// evidence: Metal Shading Language specification: as_type
template <typename To, typename From>
To bits(From a) { return as_type<To>(a); }
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = bits<uint>(half(1));
}

// --- as_type_of_uchar3_to_int: refused
// evidence: Metal Shading Language specification: as_type
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = as_type<int>(uchar2(1));
}

// --- as_type_of_a_union: refused | is not allowed
// evidence: Metal Shading Language specification: as_type
union U {
  float a;
  uint b;
};
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  U u;
  u.a = 1;
  x[i] = as_type<uint>(u);
}

// --- third_of_two: refused
// evidence: Metal Shading Language specification: components of vectors
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].x = x[i].z;
}

// --- fourth_of_three: refused
// evidence: Metal Shading Language specification: components of vectors
kernel void k(device half3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].x = x[i].w;
}

// --- blue_of_two: refused
// evidence: Metal Shading Language specification: components of vectors
kernel void k(device half2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].x = x[i].b;
}

// --- two_names_mixed: refused | illegal vector component name
// evidence: Metal Shading Language specification: components of vectors
kernel void k(device float4* x [[buffer(0)]], device float2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = x[i].xg;
}

// --- names_of_textures: refused | illegal vector component name
// evidence: Metal Shading Language specification: components of vectors
kernel void k(device float4* x [[buffer(0)]], device float2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = x[i].st;
}

// --- capital_component: refused | illegal vector component name
// evidence: Metal Shading Language specification: components of vectors
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].x = x[i].X;
}

// --- component_twice: refused
// evidence: Metal Shading Language specification: components of vectors
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].xx = float2(1);
}

// --- address_of_a_component: refused
// evidence: Metal Shading Language specification: components of vectors
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  device float* p = &x[i].y;
  *p = 1;
}

// --- reference_to_a_component: refused
// evidence: Metal Shading Language specification: components of vectors
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3 v(x[i]);
  thread float& y = v.y;
  y = 2;
  x[i] = v.y;
}

// --- component_as_an_output: refused
// evidence: Metal Shading Language specification: components of vectors
void clear(thread float& a) { a = 0; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2 v(x[i]);
  clear(v.x);
  x[i] = v.x;
}

// --- component_of_a_scalar: refused
// evidence: Metal Shading Language specification: components of vectors
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i].x;
}

// --- component_of_a_constant: refused
// evidence: Metal Shading Language specification: components of vectors
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  const float2 v(x[i]);
  v.x = 1;
  x[i] = v.x;
}

// --- cast_to_a_scalar: refused
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].x = float(x[i]);
}

// --- static_cast_to_a_scalar: refused
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device int2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].x = static_cast<int>(x[i]);
}

// --- vector_as_a_condition: refused
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (x[i]) x[i] = 1;
}

// --- comparison_as_a_condition: refused
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (x[i] == x[i + 1]) x[i] = 1;
}

// --- comparison_in_a_loop: refused
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device int2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  while (x[i] < 10) x[i] += 1;
}

// --- comparison_as_a_scalar: refused
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device float2* x [[buffer(0)]], device int* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  bool is_less = x[i] < x[i + 1];
  y[i] = is_less;
}

// --- remainder_of_floats: refused | invalid operands to binary expression
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i] % x[i + 1];
}

// --- remainder_of_a_float: refused | invalid operands to binary expression
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i] % 2.0f;
}

// --- shift_of_floats: refused
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i] << 1;
}

// --- bits_of_a_float: refused | invalid operands to binary expression
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i] & 1;
}

// --- complement_of_a_float: refused
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = ~x[i];
}

// --- narrowed_float: refused
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device int* x [[buffer(0)]], device float* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  int a{y[i]};
  x[i] = a;
}

// --- narrowed_int: refused
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device uchar* x [[buffer(0)]], device int* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uchar a{y[i]};
  x[i] = a;
}

// --- operators_of_each_kind: accepted
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float4* x [[buffer(0)]], constant float4x4& m [[buffer(1)]], constant float2x3& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  float4x4 a = m * m + m - 2.0f * m;
  a *= 2.0f;
  float3 b = n * float2(1, 2);
  float2 c = float3(1) * n;
  x[i] = a * x[i] + x[i] * transpose(m) + determinant(m) + b.x + c.y;
}

// --- columns_and_elements: accepted
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(1.0f);
  m[0] = float3(1, 2, 3);
  m[1].y = x[i];
  m[2][0] = 4;
  float2x2 n(float2(1, 2), float2(3, 4));
  float4x3 p = float4x3(float3(1), float3(2), float3(3), float3(4));
  x[i] = m[0].x + m[1][1] + n[1].x + p[3].z;
}

// --- halves_of_a_matrix: accepted
// evidence: Metal Shading Language specification: matrix operators
kernel void k(device half4x4* x [[buffer(0)]], constant float4x4& m [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = half4x4(m);
}

// --- as_type_of_each_kind: accepted
// evidence: Metal Shading Language specification: as_type
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a = as_type<float>(x[i]);
  half2 b = as_type<half2>(x[i]);
  uchar4 c = as_type<uchar4>(a);
  int2 d = as_type<int2>(float2(a));
  ulong e = as_type<ulong>(uint2(x[i]));
  x[i] = as_type<uint>(b) + c.x + uint(d.y) + uint(e) + as_type<uint>(ushort2(1, 2));
}

// --- as_type_in_a_template_of_one_size: accepted
// evidence: Metal Shading Language specification: as_type
template <typename To, typename From>
To bits(From a) { return as_type<To>(a); }
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = bits<uint>(1.0f) + bits<ushort>(half(1)) + bits<uint>(short2(1));
}

// --- components_of_each_kind: accepted
// evidence: Metal Shading Language specification: components of vectors
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4 v = x[i].wzyx;
  v.xy = v.yx;
  v.rgb = v.bgr * 2;
  v.xz += 1.0f;
  v[3] = x[i][2];
  x[i].zw = v.xx;
  x[i] = v.xxyy + float4(v.r, v.ga, (v + 1).w);
}

// --- components_of_a_result: accepted
// evidence: Metal Shading Language specification: components of vectors
half3 f(half a) { return half3(a); }
kernel void k(device half2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = f(x[i].y).zx + half2(f(1).g);
}

// --- comparisons_reduced: accepted
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (all(x[i] == x[i + 1]) || any(x[i] < 0.0f)) x[i] = select(x[i], x[i + 1], x[i] > 1.0f);
  bool3 b = x[i] < x[i + 1];
  if (b.x && !b.y) x[i] = -x[i];
}

// --- operators_of_integers: accepted
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device uint3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = (x[i] % 7u) << 2u | x[i] >> 1 & ~x[i] ^ 3u;
  x[i] -= 2;
}

// --- braces_that_fit: accepted
// evidence: Metal Shading Language specification: operators of vectors
kernel void k(device uchar* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uchar a{200};
  int b{a};
  float c{1};
  half d{2.0h};
  x[i] = uchar(a + b + int(c) + int(d));
}

// --- increment_of_a_float_vector: refused | cannot increment value of type
// evidence: Metal Shading Language specification: ++ and -- are for integers and vectors of them
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  v[i]++;
}

// --- decrement_of_a_half_vector: refused | cannot decrement value of type
// evidence: Metal Shading Language specification: ++ and -- are for integers and vectors of them
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  half2 h = half2(1); --h; x[i] = h.x;
}

// --- increment_of_a_bool_vector: refused | cannot increment value of type
// evidence: Metal Shading Language specification: ++ and -- are for integers and vectors of them
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  bool2 h = true; h++; x[i] = h.x;
}

// --- increment_of_a_matrix: refused | cannot increment value of type
// evidence: Metal Shading Language specification: ++ and -- are for integers and vectors of them
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  float2x2 m = float2x2(1); m++; x[i] = m[0][0];
}

// --- steps_of_integer_vectors: accepted
// evidence: Metal Shading Language specification: ++ and -- are for integers and vectors of them
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  n[i]++;
  --n[i];
  n[i].xz++;
  uchar3 c = uchar3(7);
  uchar3 before = c--;
  ulong2 l = 1;
  x[i] = (++l).x + before.y + c.z;
}

// --- scalar_shifted_by_a_vector: refused
// evidence: cristim/mslc, tests/probes: a scalar cannot be shifted by a vector
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  n[i] = 1 << n[i];
}

// --- vector_shifted_by_a_scalar: accepted
// evidence: Metal Shading Language specification: shifts
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  n[i] = n[i] << 2;
  n[i] >>= n[i + 1];
}

// --- five_components: refused | illegal vector component name 'xyzwx'
// evidence: Metal Shading Language specification: vectors have two to four components
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  x[i] = v[i].xyzwx.y;
}

// --- components_lo: refused | illegal vector component name
// evidence: Metal Shading Language specification: components are xyzw or rgba
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = float4(x[i].lo.x); }

// --- components_hi: refused | illegal vector component name
// evidence: Metal Shading Language specification: components are xyzw or rgba
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = float4(x[i].hi.x); }

// --- components_even: refused | illegal vector component name
// evidence: Metal Shading Language specification: components are xyzw or rgba
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = float4(x[i].even.x); }

// --- components_odd: refused | illegal vector component name
// evidence: Metal Shading Language specification: components are xyzw or rgba
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = float4(x[i].odd.x); }

// --- components_s0: refused | illegal vector component name
// evidence: Metal Shading Language specification: components are xyzw or rgba
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = float4(x[i].s0); }

// --- components_s01: refused | illegal vector component name
// evidence: Metal Shading Language specification: components are xyzw or rgba
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = float4(x[i].s01.x); }

// --- components_rgba: accepted
// evidence: Metal Shading Language specification: components are xyzw or rgba
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i].rgba = x[i].wzyx + x[i].bgra; }

// --- cast_of_a_pointer: refused | as_type cast from 'const device float4 *' to 'unsigned long' is not allowed
// evidence: Metal Shading Language specification: as_type is for scalars and vectors
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { device const float4* p = x; ulong a = as_type<ulong>(p); x[i] = float(a); }
