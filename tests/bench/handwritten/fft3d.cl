// The longest line there is room for, 8 KiB of it.
#define LONGEST 1024

#ifdef __CUDACC__
#define reverse_bits __brev
#else
FUNCTION uint reverse_bits(uint x) {
  x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
  x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
  return as_uint(as_uchar4(x).wzyx);
}
#endif

// Where value i of a line goes before the butterflies: its bits in reverse.
FUNCTION uint reversed(uint i, uint N) { return reverse_bits(i) >> (clz(N) + 1); }

// Radix-2 butterflies over a line in bit-reversed order, by N threads; thread i is one of them.
FUNCTION void transform(__local float2 *line, uint i, uint N) {
  for (uint distance = 1; distance < N; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < N / 2) {
      const uint k = i % distance;
      const uint low = 2 * (i - k) + k;
      const uint high = low + distance;
      const float angle = -M_PI_F * (float)k / (float)distance;
      const float c = cos(angle);
      const float s = sin(angle);
      const float2 a = line[low];
      const float2 b = line[high];
      const float2 turned = make_float2(c * b.x - s * b.y, c * b.y + s * b.x);
      line[low] = a + turned;
      line[high] = a - turned;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Each threadgroup transforms one line; the first axis runs along it, the second counts lines.
__kernel void fft3d_x(BUFFER(in_data), BUFFER(out_data), BUFFER(N), HOST) {
  ARRAY(const float2, in_data);
  ARRAY(float2, out_data);
  VALUE(uint, N);
  SHARED float2 line[LONGEST];
  const uint i = get_global_id(0);
  const uint k = get_global_id(1) / N;
  const uint j = get_global_id(1) % N;
  const uint at = (k * N + j) * N + i;
  line[reversed(i, N)] = in_data[at];
  transform(line, i, N);
  out_data[at] = line[i];
}

__kernel void fft3d_y(BUFFER(in_data), BUFFER(out_data), BUFFER(N), HOST) {
  ARRAY(const float2, in_data);
  ARRAY(float2, out_data);
  VALUE(uint, N);
  SHARED float2 line[LONGEST];
  const uint j = get_global_id(0);
  const uint k = get_global_id(1) / N;
  const uint i = get_global_id(1) % N;
  const uint at = (k * N + j) * N + i;
  line[reversed(j, N)] = in_data[at];
  transform(line, j, N);
  out_data[at] = line[j];
}

__kernel void fft3d_z(BUFFER(in_data), BUFFER(out_data), BUFFER(N), HOST) {
  ARRAY(const float2, in_data);
  ARRAY(float2, out_data);
  VALUE(uint, N);
  SHARED float2 line[LONGEST];
  const uint k = get_global_id(0);
  const uint j = get_global_id(1) / N;
  const uint i = get_global_id(1) % N;
  const uint at = (k * N + j) * N + i;
  line[reversed(k, N)] = in_data[at];
  transform(line, k, N);
  out_data[at] = line[k];
}
