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
