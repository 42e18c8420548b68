// Included once for each TYPE and N: kernels named after both.
#define PASTE_(name, type, n) name##_##type##_##n
#define PASTE(name, type, n) PASTE_(name, type, n)

kernel void PASTE(scan, TYPE, N)(device const TYPE* in [[buffer(0)]],
                                 device TYPE* out [[buffer(1)]], constant uint& count [[buffer(2)]],
                                 uint row [[thread_position_in_grid]]) {
  TYPE sum = 0;
  if (row * N >= count) return;
  for (uint at = row * N; at < row * N + N && at < count; ++at) {
    sum += in[at];
    out[at] = sum;
  }
}

kernel void PASTE(gather, TYPE,
                  N)(device const TYPE* in [[buffer(0)]], device TYPE* out [[buffer(1)]],
                     device const uint* places [[buffer(2)]], constant uint2& counts [[buffer(3)]],
                     uint at [[thread_position_in_grid]]) {
  if (at < counts.x) out[at] = places[at] < counts.y ? in[places[at]] : TYPE(N);
}

#undef PASTE
#undef PASTE_
#undef TYPE
