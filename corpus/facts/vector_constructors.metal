// Facts: vector constructors. ../README.md explains the lines that begin a source.
// --- int3_and_float: refused | no matching function for call to 'float4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(int3(i), 1.0); }

// --- half3_and_half: refused | no matching function for call to 'float4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(half3(1), 1.0h); }

// --- uint2_and_zero: refused | no matching function for call to 'float4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(uint2(i), 0, 0); }

// --- scalar_and_half3: refused | no matching function for call to 'float4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(1.0f, half3(1)); }

// --- two_int2: refused | no matching function for call to 'float4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(int2(i), int2(i)); }

// --- float3_and_int: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(float3(i), 1); }

// --- two_float2: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(float2(i), float2(1)); }

// --- converted_part: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(float3(int3(i)), 1); }

// --- scalars: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(1, 2u, 3.0h, true); }

// --- one_vector: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(int4(i)); }

// --- int3_of_others: refused | no matching function for call to 'int3'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device int3* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = int3(uint2(i), 0); }

// --- half3_of_others: refused | no matching function for call to 'half3'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device half3* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = half3(float2(i), 1.0h); }

// --- uint4_of_others: refused | no matching function for call to 'uint4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device uint4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = uint4(int2(i), 1u, 2u); }

// --- half4_of_others: refused | no matching function for call to 'half4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device half4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = half4(float3(1), 1.0h); }

// --- short2_of_a_scalar: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device short2* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = short2(int(i)); }

// --- comparisons_are_booleans: accepted
// evidence: Metal Shading Language specification: relational operators
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i].x = all(bool4(x[i].xyz < x[0].xyz, true)); }

// --- packed_parts: accepted
// evidence: Metal Shading Language specification: packed vectors
kernel void k(device float4* x [[buffer(0)]], device packed_float3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) { x[i] = float4(y[i], 1); }

// --- too_few: refused | no matching function for call to 'float4'
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = float4(x[i].xy, 1); }

// --- position_as_floats: refused | no matching function for call to 'float3'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float3* x [[buffer(0)]], uint2 at [[thread_position_in_grid]]) { x[at.x] = float3(at, 0); }

// --- swizzle_of_another_type: refused | no matching function for call to 'float3'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float3* x [[buffer(0)]], device int4* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = float3(y[i].xy, 1.0f);
}

// --- result_of_another_type: refused | no matching function for call to 'half4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
float2 pair(float a) { return float2(a, a); }
kernel void k(device half4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = half4(pair(1), half2(2));
}

// --- signed_and_unsigned: refused | no matching function for call to 'uint3'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device uint3* x [[buffer(0)]], device int2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = uint3(y[i], 1u);
}

// --- shorts_of_two_signs: refused | no matching function for call to 'short4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device short4* x [[buffer(0)]], device ushort2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = short4(y[i], short2(1));
}

// --- booleans_as_floats: refused | no matching function for call to 'float3'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float3* x [[buffer(0)]], device float2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = float3(y[i] > 0.0f, 1.0f);
}

// --- element_of_a_template: refused
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
template <typename T>
vec<T, 4> widened(vec<float, 3> a) { return vec<T, 4>(a, T(1)); }
kernel void k(device half4* x [[buffer(0)]], device float3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = widened<half>(y[i]);
}

// --- named_type: refused
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
using Colour = half4;
kernel void k(device half4* x [[buffer(0)]], device float3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = Colour(y[i], 1.0h);
}

// --- bytes_as_floats: refused | no matching function for call to 'float4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float4* x [[buffer(0)]], device uchar3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = float4(y[i], 255);
}

// --- halves_beside_floats: refused | no matching function for call to 'float4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float4* x [[buffer(0)]], device half2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = float4(float2(1), y[i]);
}

// --- too_many_scalars: refused | no matching function for call to 'float2'
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = float2(1, 2, 3);
}

// --- too_many_parts: refused | no matching function for call to 'float4'
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* x [[buffer(0)]], device float3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = float4(y[i], y[i + 1]);
}

// --- two_of_three: refused | no matching function for call to 'float3'
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = float3(1, 2);
}

// --- two_pairs_of_three: refused | no matching function for call to 'int3'
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device int3* x [[buffer(0)]], device int2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = int3(y[i], y[i]);
}

// --- struct_as_a_part: refused | no matching function for call to 'float4'
// evidence: Metal Shading Language specification: vector constructors
struct S {
  float a;
  float b;
};
kernel void k(device float4* x [[buffer(0)]], device S* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = float4(y[i], 1, 2);
}

// --- initialised_from_ints: refused | cannot initialize a variable of type 'float3'
// evidence: Metal Shading Language specification: vectors convert by constructors only
kernel void k(device float3* x [[buffer(0)]], device int3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float3 a = y[i];
  x[i] = a;
}

// --- assigned_from_floats: refused | assigning to 'half4'
// evidence: Metal Shading Language specification: vectors convert by constructors only
kernel void k(device half4* x [[buffer(0)]], device float4* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = y[i];
}

// --- returned_as_floats: refused | cannot initialize return object of type 'float2'
// evidence: Metal Shading Language specification: vectors convert by constructors only
float2 f(uint2 a) { return a; }
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = f(uint2(i));
}

// --- passed_as_floats: refused | no matching function for call to 'twice'
// evidence: Metal Shading Language specification: vectors convert by constructors only
float4 twice(float4 a) { return 2 * a; }
kernel void k(device float4* x [[buffer(0)]], device half4* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = twice(y[i]);
}

// --- shorter_vector: refused | cannot initialize a variable of type 'float3'
// evidence: Metal Shading Language specification: vectors convert by constructors only
kernel void k(device float3* x [[buffer(0)]], device float4* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float3 a = y[i];
  x[i] = a;
}

// --- vector_as_a_scalar: refused | cannot initialize a variable of type 'float'
// evidence: Metal Shading Language specification: vectors convert by constructors only
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float a = x[i];
  x[i] = a;
}

// --- sum_of_two_types: refused
// evidence: Metal Shading Language specification: vectors convert by constructors only
kernel void k(device float3* x [[buffer(0)]], device half3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i] + y[i];
}

// --- product_of_two_signs: refused
// evidence: Metal Shading Language specification: vectors convert by constructors only
kernel void k(device uint2* x [[buffer(0)]], device int2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i] * y[i];
}

// --- sum_of_two_lengths: refused
// evidence: Metal Shading Language specification: vectors convert by constructors only
kernel void k(device float4* x [[buffer(0)]], device float3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i] + y[i];
}

// --- compound_sum_of_two_types: refused
// evidence: Metal Shading Language specification: vectors convert by constructors only
kernel void k(device float3* x [[buffer(0)]], device int3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] += y[i];
}

// --- choice_of_two_types: refused
// evidence: Metal Shading Language specification: vectors convert by constructors only
kernel void k(device float3* x [[buffer(0)]], device int3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = i > 3 ? x[i] : y[i];
}

// --- comparison_as_floats: refused | cannot initialize a variable of type 'float3'
// evidence: Metal Shading Language specification: vectors convert by constructors only
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3 a = x[i] < x[i + 1];
  x[i] = a;
}

// --- member_of_another_type: refused
// evidence: Metal Shading Language specification: vectors convert by constructors only
struct Ray {
  float3 from;
  float3 along;
};
kernel void k(device Ray* x [[buffer(0)]], device int3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Ray ray = {x[i].from, y[i]};
  x[i] = ray;
}

// --- scalars_of_many_types: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = float4(1, 2u, 3.0h, i > 3);
}

// --- position_converted: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float3* x [[buffer(0)]], uint2 at [[thread_position_in_grid]]) { x[at.x] = float3(float2(at), 0); }

// --- position_as_it_is: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device uint3* x [[buffer(0)]], uint2 at [[thread_position_in_grid]]) { x[at.x] = uint3(at, 0); }

// --- whole_vectors_convert: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* x [[buffer(0)]], device half4* y [[buffer(1)]], device uchar4* z [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  x[i] = float4(y[i]) + float4(z[i]) + float4(int4(x[i])) + float4(x[i] > 1.0f);
}

// --- swizzles_and_scalars: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device half4* x [[buffer(0)]], device half2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = half4(x[i].zy, y[i].x, 1.0f) + half4(1, y[i], 2) + half4(y[i], y[i].yx);
}

// --- element_of_a_template_converted: accepted
// evidence: Metal Shading Language specification: vector constructors
template <typename T>
vec<T, 4> widened(vec<float, 3> a) { return vec<T, 4>(vec<T, 3>(a), T(1)); }
kernel void k(device half4* x [[buffer(0)]], device float3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = widened<half>(y[i]);
}

// --- scalars_in_braces: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4 a{1.0f, 2.0f, 3.0f, 4.0f};
  float2 b = {1.0f, 2.0f};
  x[i] = a + b.xyxy;
}

// --- short_vectors: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device short4* x [[buffer(0)]], device short2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = short4(y[i], short2(y[i + 1])) + short4(1, 2, y[i]);
}

// --- scalars_beside_vectors: accepted
// evidence: Metal Shading Language specification: a scalar operand becomes a vector
kernel void k(device float4* x [[buffer(0)]], device int2* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i] * 2 + 1.0f;
  y[i] = y[i] + 1 - 3;
  x[i] /= 2.0f;
}

// --- scalar_initialises: accepted
// evidence: Metal Shading Language specification: a scalar operand becomes a vector
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4 a = 1.0f;
  x[i] = a;
  x[i + 1] = 0;
}

// --- bools_from_integers: refused | no implicit conversion from 'int4' to 'bool4'
// evidence: Metal Shading Language specification: vectors convert by constructors only; comparisons give vectors of bool
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  bool4 b = n[i]; x[i] = b.x;
}

// --- bools_assigned_integers: refused | no implicit conversion from 'int4' to 'bool4'
// evidence: Metal Shading Language specification: vectors convert by constructors only; comparisons give vectors of bool
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  bool4 b = true; b = n[i]; x[i] = b.x;
}

// --- integers_from_a_comparison: refused | no implicit conversion from 'bool4' to 'int4'
// evidence: Metal Shading Language specification: vectors convert by constructors only; comparisons give vectors of bool
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  int4 less = v[i] < v[i + 1]; x[i] = less.x;
}

// --- integers_assigned_a_comparison: refused | assigning to 'int4' from incompatible type 'bool4'
// evidence: Metal Shading Language specification: vectors convert by constructors only; comparisons give vectors of bool
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  n[i] = n[i] == n[i + 1];
}

// --- integers_and_a_comparison: refused | cannot convert between vector values of different
// evidence: Metal Shading Language specification: vectors convert by constructors only; comparisons give vectors of bool
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  n[i] = n[i] & (n[i] > 3);
}

// --- integers_plus_a_comparison: refused | cannot convert between vector values of different
// evidence: Metal Shading Language specification: vectors convert by constructors only; comparisons give vectors of bool
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  n[i] = (v[i] > 3) + n[i];
}

// --- short_integers_from_a_comparison_of_halves: refused | no implicit conversion from 'bool2' to 'short2'
// evidence: Metal Shading Language specification: vectors convert by constructors only; comparisons give vectors of bool
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  short2 s = half2(v[i].xy) > half2(v[i].zw); x[i] = s.x;
}

// --- integers_among_the_pieces_of_bools: refused | no matching constructor for initialization of 'bool4'
// evidence: cristim/mslc, tests/probes: only a scalar piece is converted
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  x[i] = bool4(n[i].xy, true, false).x;
}

// --- answers_as_answers: accepted
// evidence: Metal Shading Language specification: vectors convert by constructors only; comparisons give vectors of bool
kernel void k(device float* x [[buffer(0)]], device float4* v [[buffer(1)]], device int4* n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  bool4 b = v[i] < v[i + 1];
  auto c = n[i] == 3;
  b = (b & !c) || n[i] > 4;
  n[i] = int4(b) + int4(v[i] == 2);
  n[i] = select(n[i], n[i + 1], b && c);
  x[i] = bool4(n[i]).x + bool4(n[i].xy == 1, true, false).y;
}
