// Messages to an os_log. `// logs: LINE TYPE THREAD of THREADGROUP: TEXT` says what a run keeps, in
// this order.
#include <metal_stdlib>
using namespace metal;
// language: metal3.2
// kernel: types_and_integers
// grid: 4
// threadgroup: 2
// in 0: int 4*-1
// logs: 18 log (0, 0, 0) of (0, 0, 0): plain
// logs: 19 info (1, 0, 0) of (0, 0, 0): i = 1,    1|1    |0001, 0x1
// logs: 21 debug (0, 0, 0) of (1, 0, 0): -1 4294967295 ffffffff
// logs: 22 error (0, 0, 0) of (1, 0, 0): 255 -1 65535 -9000000000 18446744073709551615
// logs: 24 fault (1, 0, 0) of (1, 0, 0): A 100%
// logs: 25 info (1, 0, 0) of (1, 0, 0): true 1 is 1
kernel void types_and_integers(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  // Four threads, each with messages of its own.
  if (i == 0) os_log_default.log("plain");
  if (i == 1) os_log_default.log_info("i = %u, %4u|%-5u|%04d, %#x", i, i, i, i, i);
  if (i == 2) {
    os_log_default.log_debug("%d %u %x", x[i], x[i], x[i]);
    os_log_default.log_error("%hhu %d %hu %ld %lu\n", x[i], char(x[i]), x[i], -9000000000l, ~0ul);
  }
  if (i == 3) os_log_default.log_fault("%c %d%%", 'A', 100);
  if (i == 3) os_log_default.log_with_type(os_log_type::info, "true %d is %d", true, x[i] < 0);
}

// kernel: floats_and_vectors
// grid: 1
// in 0: float 1.5 -2 0.25 1e10
// logs: 37 log (0, 0, 0) of (0, 0, 0): 1.500000 -2.0 1.000000e+10 0.25
// logs: 38 log (0, 0, 0) of (0, 0, 0): 0.5 1.5 +inf nan
// logs: 39 log (0, 0, 0) of (0, 0, 0): (1.50,-2.00,0.25,10000000000.00) 1,2,3 0a,0b
// logs: 41 log (0, 0, 0) of (0, 0, 0): 1,0 -1.500000,0.500000
kernel void floats_and_vectors(device const float4* x [[buffer(0)]]) {
  const float4 v = x[0];
  os_log_default.log("%f %.1f %e %g", v.x, v.y, v.w, v.z);
  os_log_default.log("%g %g %+f %f", half(0.5), bfloat(v.x), as_type<float>(0x7f800000), as_type<float>(0x7fc00000));
  os_log_default.log("(%.2v4f) %v3d %02v2hx", v, int3(1, 2, 3), ushort2(10, 11));
  // The argument knows how many components it has.
  os_log_default.log("%v2d %v2hf", bool2(true, false), half2(-1.5h, 0.5h));
}

constant os_log tiles("com.example.kernels", "tiles");

static void tell(const os_log log, uint step, float value) {
  log.log_debug("step %u: %g", step, value);
}

// kernel: own_logs
// grid: 2
// threadgroup: 2
// in 0: float 3 4
// logs: 47 debug com.example.kernels tiles (0, 0, 0) of (0, 0, 0): step 0: 3
// logs: 47 debug com.example.kernels tiles (0, 0, 0) of (0, 0, 0): step 1: 1.5
// logs: 66 info com.example.kernels local (0, 0, 0) of (0, 0, 0): done
// logs: 47 debug com.example.kernels tiles (1, 0, 0) of (0, 0, 0): step 0: 4
// logs: 47 debug com.example.kernels tiles (1, 0, 0) of (0, 0, 0): step 1: 2
// logs: 66 info com.example.kernels local (1, 0, 0) of (0, 0, 0): done
kernel void own_logs(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  for (uint step = 0; step < 2; ++step) {
    tell(tiles, step, x[i]);
    x[i] /= 2;
  }
  os_log local("com.example.kernels", "local");
  local.log_info("done");
}

// kernel: what_does_not_fit
// grid: 1
// in 0: int 7
// logs: 78 log (0, 0, 0) of (0, 0, 0): 7.5 7.000000 ? %y %
// logs: 79 log (0, 0, 0) of (0, 0, 0): 7 7
// logs: 80 log (0, 0, 0) of (0, 0, 0): name: %s, 7
// logs: 81 log (0, 0, 0) of (0, 0, 0): 0,0,0,0 0,0,0,0 0,0,0,0 0,0,0,0 0,0,0,0 0,0,0,0 0,0,0,0 0,0,0,0 ?,?,?,?
kernel void what_does_not_fit(device int* x [[buffer(0)]]) {
  const int4 zero = int4(x[0] - 7);
  os_log_default.log("%d %f %d %y %", 7.5f, x[0]);
  os_log_default.log("%{public}d %{private, mask.hash}d", x[0], x[0]);
  os_log_default.log("name: %s, %d", "text", x[0]);
  os_log_default.log("%v4d %v4d %v4d %v4d %v4d %v4d %v4d %v4d %v4d", zero, zero, zero, zero, zero, zero, zero, zero, zero);
}
