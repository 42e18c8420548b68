// The longest axis that the table of elimination ratios holds.
#define LONGEST 256

// c' of Thomas's algorithm depends on the place in the line alone: c'[1] to c'[length - 2].
FUNCTION void tabulate(__local float *ratio, uint length, float mu) {
  const float b = 1.0f + 2.0f * mu;
  ratio[0] = 0.0f;
  for (uint i = 1; i + 1 < length; ++i) ratio[i] = -mu / (b + mu * ratio[i - 1]);
}

// Solves one line whose values lie `stride` apart; d' passes through u_out.
FUNCTION void solve(__global const float *u_in, __global float *u_out, __local const float *ratio,
                    uint first, uint stride, uint length, float mu) {
  const float b = 1.0f + 2.0f * mu;
  const uint last = first + (length - 1) * stride;
  const float right = u_in[last];
  float d = u_in[first];
  u_out[first] = d;
  for (uint i = 1; i + 1 < length; ++i) {
    const uint at = first + i * stride;
    float r = u_in[at] + mu * d;
    if (i == length - 2) r += mu * right;
    d = r / (b + mu * ratio[i - 1]);
    u_out[at] = d;
  }
  u_out[last] = right;
  for (uint i = length - 3; i >= 1; --i) {
    const uint at = first + i * stride;
    d = u_out[at] - ratio[i] * d;
    u_out[at] = d;
  }
}

// Copies a line that lies on a face of the box.
FUNCTION void copy(__global const float *u_in, __global float *u_out, uint first, uint stride,
                   uint length) {
  for (uint i = 0; i < length; ++i) u_out[first + i * stride] = u_in[first + i * stride];
}

// One thread a line in all three kernels.
__kernel void adi_x(BUFFER(u_in), BUFFER(u_out), BUFFER(NX), BUFFER(NY), BUFFER(NZ), BUFFER(mu),
                    HOST) {
  ARRAY(const float, u_in);
  ARRAY(float, u_out);
  VALUE(uint, NX);
  VALUE(uint, NY);
  VALUE(uint, NZ);
  VALUE(float, mu);
  SHARED float ratio[LONGEST];
  if (get_local_id(0) == 0) tabulate(ratio, NX, mu);
  barrier(CLK_LOCAL_MEM_FENCE);

  const uint j = get_global_id(0);
  const uint k = get_global_id(1);
  if (j >= NY || k >= NZ) return;
  const uint first = (k * NY + j) * NX;
  if (j == 0 || k == 0 || j == NY - 1 || k == NZ - 1)
    copy(u_in, u_out, first, 1, NX);
  else
    solve(u_in, u_out, ratio, first, 1, NX, mu);
}

__kernel void adi_y(BUFFER(u_in), BUFFER(u_out), BUFFER(NX), BUFFER(NY), BUFFER(NZ), BUFFER(mu),
                    HOST) {
  ARRAY(const float, u_in);
  ARRAY(float, u_out);
  VALUE(uint, NX);
  VALUE(uint, NY);
  VALUE(uint, NZ);
  VALUE(float, mu);
  SHARED float ratio[LONGEST];
  if (get_local_id(0) == 0) tabulate(ratio, NY, mu);
  barrier(CLK_LOCAL_MEM_FENCE);

  const uint i = get_global_id(0);
  const uint k = get_global_id(1);
  if (i >= NX || k >= NZ) return;
  const uint first = k * NY * NX + i;
  if (i == 0 || k == 0 || i == NX - 1 || k == NZ - 1)
    copy(u_in, u_out, first, NX, NY);
  else
    solve(u_in, u_out, ratio, first, NX, NY, mu);
}

__kernel void adi_z(BUFFER(u_in), BUFFER(u_out), BUFFER(NX), BUFFER(NY), BUFFER(NZ), BUFFER(mu),
                    HOST) {
  ARRAY(const float, u_in);
  ARRAY(float, u_out);
  VALUE(uint, NX);
  VALUE(uint, NY);
  VALUE(uint, NZ);
  VALUE(float, mu);
  SHARED float ratio[LONGEST];
  if (get_local_id(0) == 0) tabulate(ratio, NZ, mu);
  barrier(CLK_LOCAL_MEM_FENCE);

  const uint i = get_global_id(0);
  const uint j = get_global_id(1);
  if (i >= NX || j >= NY) return;
  const uint first = j * NX + i;
  if (i == 0 || j == 0 || i == NX - 1 || j == NY - 1)
    copy(u_in, u_out, first, NX * NY, NZ);
  else
    solve(u_in, u_out, ratio, first, NX * NY, NZ, mu);
}
