// Facts: bfloat. ../README.md explains the lines that begin a source.
// --- initialiser_from_float: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = x[i];
  x[i] = float(b);
}

// --- initialiser_of_bfloat_float: accepted
// evidence: Metal Shading Language specification: bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = bfloat(x[i]);
  x[i] = float(b);
}

// --- initialiser_from_literal: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = 0.5;
  x[i] = float(b);
}

// --- initialiser_of_bfloat_literal: accepted
// evidence: Metal Shading Language specification: bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = bfloat(0.5);
  x[i] = float(b);
}

// --- assignment_from_float: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = bfloat(0);
  b = x[i];
  x[i] = float(b);
}

// --- assignment_of_bfloat_float: accepted
// evidence: Metal Shading Language specification: bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = bfloat(0);
  b = bfloat(x[i]);
  x[i] = float(b);
}

// --- assignment_from_literal: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = bfloat(0);
  b = 0.5;
  x[i] = float(b);
}

// --- assignment_of_bfloat_literal: accepted
// evidence: Metal Shading Language specification: bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = bfloat(0);
  b = bfloat(0.5);
  x[i] = float(b);
}

// --- argument_from_float: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = twice(x[i]);
  x[i] = float(b);
}

// --- argument_of_bfloat_float: accepted
// evidence: Metal Shading Language specification: bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = twice(bfloat(x[i]));
  x[i] = float(b);
}

// --- argument_from_literal: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = twice(0.5);
  x[i] = float(b);
}

// --- argument_of_bfloat_literal: accepted
// evidence: Metal Shading Language specification: bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = twice(bfloat(0.5));
  x[i] = float(b);
}

// --- result_from_float: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return x; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = given(x[i]);
  x[i] = float(b);
}

// --- result_of_bfloat_float: accepted
// evidence: Metal Shading Language specification: bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = given(x[i]);
  x[i] = float(b);
}

// --- choice_from_float: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = i > 3 ? bfloat(1) : x[i];
  x[i] = float(b);
}

// --- choice_of_bfloat_float: accepted
// evidence: Metal Shading Language specification: bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = i > 3 ? bfloat(1) : bfloat(x[i]);
  x[i] = float(b);
}

// --- choice_from_literal: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = i > 3 ? bfloat(1) : 0.5;
  x[i] = float(b);
}

// --- choice_of_bfloat_literal: accepted
// evidence: Metal Shading Language specification: bfloat
bfloat twice(bfloat b) { return b + b; }
bfloat given(float x) { return bfloat(x); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = i > 3 ? bfloat(1) : bfloat(0.5);
  x[i] = float(b);
}

// --- initialiser_from_half: refused
// evidence: Metal Shading Language specification: bfloat converts to float only
kernel void k(device half* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = x[i];
  x[i] = half(float(b));
}

// --- half_from_bfloat: refused
// evidence: Metal Shading Language specification: bfloat converts to float only
kernel void k(device half* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = bfloat(1);
  half h = b;
  x[i] = h;
}

// --- exp_gives_a_float: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
kernel void k(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = exp(x[i]); }

// --- float_from_bfloat: accepted
// evidence: Metal Shading Language specification: bfloat
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) { x[i] = y[i] + y[i] * 2.0f; }

// --- arithmetic: accepted
// evidence: Metal Shading Language specification: bfloat
kernel void k(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = x[i] * x[i] + 1.0bf; }

// --- own_bfloat16_t: accepted
// evidence: MLX declares both names itself
typedef bfloat bfloat16_t;
typedef half float16_t;
kernel void k(device bfloat16_t* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = bfloat16_t(float16_t(1)); }

// --- no_bfloat16_t: refused | unknown type name 'bfloat16_t'
// evidence: MLX declares the name itself
kernel void k(device bfloat16_t* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = x[0]; }

// --- sum_assigned: refused | assigning to 'bfloat' from incompatible type 'float'
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = y[i] + x[i];
}

// --- compound_sum: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] += x[i];
}

// --- compound_product_of_a_literal: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
kernel void k(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = x[i];
  b *= 0.5f;
  x[i] = b;
}

// --- member_of_an_aggregate: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
struct Pair {
  bfloat a;
  bfloat b;
};
kernel void k(device float* x [[buffer(0)]], device Pair* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Pair pair = {x[i], x[i + 1]};
  y[i] = pair;
}

// --- member_assigned: refused | assigning to 'bfloat' from incompatible type 'float'
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
struct Cell { bfloat a; };
kernel void k(device float* x [[buffer(0)]], device Cell* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i].a = x[i];
}

// --- element_of_an_array: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  bfloat a[2] = {x[i], x[i + 1]};
  y[i] = a[i % 2];
}

// --- store_to_threadgroup: refused | assigning to 'bfloat' from incompatible type 'float'
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  threadgroup bfloat t[32];
  t[i % 32] = x[i];
  y[i] = t[0];
}

// --- result_of_a_template: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
template <typename T>
T converted(float a) { return a; }
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = converted<bfloat>(x[i]);
}

// --- value_in_a_kernel_template: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
template <typename T>
kernel void scale(device T* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = float(x[i]) * 2.0f; }
template [[host_name("scale_bfloat")]] kernel void scale<bfloat>(device bfloat*, uint);

// --- default_argument: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
bfloat twice(bfloat a = 0.5f) { return a + a; }
kernel void k(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = twice();
}

// --- square_root: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
kernel void k(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = sqrt(x[i]);
  x[i] = b;
}

// --- simd_sum_of_floats: refused | assigning to 'bfloat' from incompatible type 'float'
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = simd_sum(x[i]);
}

// --- named_type: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
using Weight = bfloat;
kernel void k(device float* x [[buffer(0)]], device Weight* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  const Weight w = x[i] * 2;
  y[i] = w;
}

// --- macro_constant: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
#define HALF 0.5f
kernel void k(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = HALF;
  x[i] = b;
}

// --- constant_at_program_scope: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
constant bfloat scale = 0.5f;
kernel void k(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i] * scale;
}

// --- argument_of_a_member: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
struct Sum {
  bfloat total;
  void add(bfloat a) { total = total + a; }
};
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Sum sum{y[i]};
  sum.add(x[i]);
  y[i] = sum.total;
}

// --- constructor_argument: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
struct Weight {
  bfloat a;
  Weight(bfloat b) : a(b) {}
};
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Weight w(x[i]);
  y[i] = w.a;
}

// --- member_initialiser: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
struct Weight {
  bfloat a;
  Weight(float b) : a(b) {}
};
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Weight w(x[i]);
  y[i] = w.a;
}

// --- result_of_a_lambda: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  auto given = [](float a) -> bfloat { return a; };
  y[i] = given(x[i]);
}

// --- component_of_a_vector: refused
// evidence: cubecl issue 1522, mlx-lm issue 814: no implicit conversion to bfloat
kernel void k(device float4* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = x[i].x;
}

// --- half_argument: refused | no matching function for call to 'twice'
// evidence: Metal Shading Language specification: bfloat converts to float only
bfloat twice(bfloat a) { return a + a; }
kernel void k(device half* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = twice(x[i]);
}

// --- half_result: refused
// evidence: Metal Shading Language specification: bfloat converts to float only
half narrow(bfloat a) { return a; }
kernel void k(device half* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = narrow(y[i]);
}

// --- half_stored: refused | assigning to 'half' from incompatible type
// evidence: Metal Shading Language specification: bfloat converts to float only
kernel void k(device half* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = y[i];
}

// --- halves_as_bfloats: refused
// evidence: Metal Shading Language specification: bfloat converts to float only
kernel void k(device half4* x [[buffer(0)]], device bfloat4* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = x[i];
}

// --- floats_as_bfloats: refused
// evidence: Metal Shading Language specification: bfloat converts to float only
kernel void k(device float4* x [[buffer(0)]], device bfloat4* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = x[i];
}

// --- bfloat16_t: refused | unknown type name 'bfloat16_t'
// evidence: MLX declares both names itself
kernel void k(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat16_t b = x[i];
  x[i] = b;
}

// --- float16_t: refused | unknown type name 'float16_t'
// evidence: MLX declares both names itself
kernel void k(device half* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float16_t b = x[i];
  x[i] = b;
}

// --- before: refused at metal3.0 | 'bfloat'
// evidence: Metal Shading Language specification: bfloat since Metal 3.1
kernel void k(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i] + x[i];
}

// --- explicit_casts: accepted
// evidence: Metal Shading Language specification: bfloat
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = static_cast<bfloat>(x[i]);
  y[i + 1] = (bfloat)x[i + 1];
  y[i + 2] = bfloat(half(x[i + 2]));
}

// --- comparisons: accepted
// evidence: Metal Shading Language specification: bfloat
kernel void k(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (x[i] < x[i + 1] && x[i] != x[i + 2]) x[i] = -x[i];
}

// --- mixed_arithmetic_is_float: accepted
// evidence: Metal Shading Language specification: bfloat
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float s = x[i] * y[i];
  s += y[i + 1];
  x[i] = s + y[i];
}

// --- as_argument_of_a_float: accepted
// evidence: Metal Shading Language specification: bfloat
float twice(float a) { return a + a; }
kernel void k(device float* x [[buffer(0)]], device bfloat* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = twice(y[i]);
}

// --- math_through_float: accepted
// evidence: Metal Shading Language specification: bfloat
kernel void k(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = bfloat(exp(float(x[i])));
}

// --- vectors_convert_explicitly: accepted
// evidence: Metal Shading Language specification: bfloat
kernel void k(device float4* x [[buffer(0)]], device bfloat4* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = bfloat4(x[i]) + y[i];
  x[i] = float4(y[i]) * float(y[i].x);
}

// --- bits_of_a_bfloat: accepted
// evidence: Metal Shading Language specification: bfloat
kernel void k(device ushort* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = as_type<bfloat>(x[i]);
  x[i] = as_type<ushort>(bfloat(b + b));
}

// --- template_of_three_types: accepted
// evidence: Metal Shading Language specification: bfloat
template <typename T>
kernel void scale(device T* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = T(float(x[i]) * 2.0f); }
template [[host_name("scale_float")]] kernel void scale<float>(device float*, uint);
template [[host_name("scale_half")]] kernel void scale<half>(device half*, uint);
template [[host_name("scale_bfloat")]] kernel void scale<bfloat>(device bfloat*, uint);

// --- struct_with_bfloats: accepted
// evidence: Metal Shading Language specification: bfloat
struct Pair {
  bfloat a;
  bfloat b;
};
kernel void k(device Pair* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Pair pair = {x[i].b, bfloat(2)};
  pair.a = pair.a * pair.b;
  x[i] = pair;
}

// --- names_of_ones_own: accepted
// evidence: kernels of MLX
typedef bfloat bfloat16_t;
typedef half float16_t;
kernel void k(device bfloat16_t* x [[buffer(0)]], device float16_t* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = bfloat16_t(float(y[i]));
}

// --- greater_of_a_bfloat_and_a_float: refused | from incompatible type 'float'
// evidence: Metal Shading Language specification: bfloat: implicit conversion only to float
kernel void k(device bfloat* x [[buffer(0)]]) { x[0] = max(x[0], 0.0f); }

// --- greater_of_two: accepted
// evidence: Metal Shading Language specification: bfloat
kernel void k(device bfloat* x [[buffer(0)]], device float* y [[buffer(1)]]) {
  x[0] = max(x[0], bfloat(0.0f));
  x[1] = min(x[0], x[2]);
  y[0] = max(x[0], 0.0f);
}
