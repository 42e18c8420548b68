// Messages. README.md explains the lines that begin a source.
// --- default_log: metal3.2.. | Apple6 | os_log
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  os_log_default.log("%f", out[i]);
  out[i] = 0;
}

// --- own_log: metal3.2.. | Apple6 | os_log
#include <metal_stdlib>
using namespace metal;
constant os_log logger("project", "kernels");
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  logger.log_error("%u", i);
  out[i] = 0;
}

// --- log_type: metal3.2.. | Apple6 | os_log
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  os_log_default.log_with_type(os_log_type::info, "%u", i);
  out[i] = 0;
}

// --- log_header: metal3.2.. | Apple6 | os_log
#include <metal_stdlib>
using namespace metal;
#include <metal_logging>
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  metal::os_log_default.log_debug("%u", i);
  out[i] = 0;
}

// --- own_class_of_that_name: ..metal3.1
#include <metal_stdlib>
using namespace metal;
namespace mlx {
struct os_log {
  float level;
};
}
struct os_log {
  float level;
};
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  os_log l = {1};
  out[i] = l.level;
}

// --- log_behind_a_version: ..
#include <metal_stdlib>
using namespace metal;
#if __METAL_VERSION__ >= 320
#define LOG(x) os_log_default.log("%u", x)
#else
#define LOG(x) (void)x
#endif
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  LOG(i);
  out[i] = 0;
}

// --- printf: none | use of undeclared identifier 'printf'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  printf("%u", i);
  out[i] = 0;
}
