/* msci-program 1
{
 "source": "simd_sum.metal",
 "kernels": [
  {
   "name": "total",
   "symbol": "msci_total",
   "threadgroup_bytes": 0,
   "thread_limit": null,
   "uses_simdgroups": true,
   "arguments": [
    {
     "kind": "buffer",
     "index": 0,
     "constant": true,
     "name": "in",
     "type": "float"
    },
    {
     "kind": "buffer",
     "index": 1,
     "constant": false,
     "name": "out",
     "type": "float"
    }
   ]
  }
 ]
}
*/
#ifdef MSCI_NATIVE_SIMDGROUPS
uint msci_lane(void) { uint l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }
uint msci_active(void) { uint m; asm volatile("activemask.b32 %0;" : "=r"(m)); return m; }
uint msci_read(uint v, uint lane) {
  uint r, m = msci_active();
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;" : "=r"(r) : "r"(v), "r"(lane), "r"(m));
  return r;
}
uint msci_vote(uint v) {
  uint r, m = msci_active();
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }" : "=r"(r) : "r"(v), "r"(m));
  return r;
}
void msci_barrier_simdgroup(void) { uint mask = msci_active(); asm volatile("bar.warp.sync %0;" :: "r"(mask) : "memory"); }
uint msci_quad_active(void) { return (msci_active() >> (msci_lane() & ~3u) & 15u); }
uint msci_quad_and_u32(uint v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); uint all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? all & x : x; any = true; }
  return all;
}
uint msci_quad_ballot(uint v) { return msci_vote(v) >> (msci_lane() & ~3u) & 15u; }
uint msci_quad_broadcast_first_u32(uint v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u);
  return msci_read(v, (msci_lane() & ~3u) + popcount((mask & -mask) - 1u));
}
float msci_quad_max_f32(float v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); float all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? max(all, x) : x; any = true; }
  return all;
}
int msci_quad_max_i32(int v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); int all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? max(all, x) : x; any = true; }
  return all;
}
uint msci_quad_max_u32(uint v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); uint all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? max(all, x) : x; any = true; }
  return all;
}
float msci_quad_min_f32(float v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); float all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? min(all, x) : x; any = true; }
  return all;
}
int msci_quad_min_i32(int v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); int all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? min(all, x) : x; any = true; }
  return all;
}
uint msci_quad_min_u32(uint v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); uint all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? min(all, x) : x; any = true; }
  return all;
}
uint msci_quad_or_u32(uint v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); uint all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? all | x : x; any = true; }
  return all;
}
float msci_quad_prefix_exclusive_product_f32(float v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u), lane = msci_lane() & 3u; float all = 1;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); if (l < lane) all = all * x; }
  return all;
}
int msci_quad_prefix_exclusive_product_i32(int v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u), lane = msci_lane() & 3u; int all = 1;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); if (l < lane) all = all * x; }
  return all;
}
uint msci_quad_prefix_exclusive_product_u32(uint v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u), lane = msci_lane() & 3u; uint all = 1;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); if (l < lane) all = all * x; }
  return all;
}
float msci_quad_prefix_exclusive_sum_f32(float v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u), lane = msci_lane() & 3u; float all = 0;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); if (l < lane) all = all + x; }
  return all;
}
int msci_quad_prefix_exclusive_sum_i32(int v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u), lane = msci_lane() & 3u; int all = 0;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); if (l < lane) all = all + x; }
  return all;
}
uint msci_quad_prefix_exclusive_sum_u32(uint v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u), lane = msci_lane() & 3u; uint all = 0;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); if (l < lane) all = all + x; }
  return all;
}
float msci_quad_prefix_inclusive_product_f32(float v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u), lane = msci_lane() & 3u; float all = 1;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); if (l <= lane) all = all * x; }
  return all;
}
int msci_quad_prefix_inclusive_product_i32(int v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u), lane = msci_lane() & 3u; int all = 1;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); if (l <= lane) all = all * x; }
  return all;
}
uint msci_quad_prefix_inclusive_product_u32(uint v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u), lane = msci_lane() & 3u; uint all = 1;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); if (l <= lane) all = all * x; }
  return all;
}
float msci_quad_prefix_inclusive_sum_f32(float v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u), lane = msci_lane() & 3u; float all = 0;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); if (l <= lane) all = all + x; }
  return all;
}
int msci_quad_prefix_inclusive_sum_i32(int v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u), lane = msci_lane() & 3u; int all = 0;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); if (l <= lane) all = all + x; }
  return all;
}
uint msci_quad_prefix_inclusive_sum_u32(uint v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u), lane = msci_lane() & 3u; uint all = 0;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); if (l <= lane) all = all + x; }
  return all;
}
float msci_quad_product_f32(float v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); float all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? all * x : x; any = true; }
  return all;
}
int msci_quad_product_i32(int v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); int all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? all * x : x; any = true; }
  return all;
}
uint msci_quad_product_u32(uint v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); uint all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? all * x : x; any = true; }
  return all;
}
uint msci_quad_shuffle_u32(uint v, uint x) {
  uint w = 4u, l = msci_lane() & (w - 1u);
  return msci_read(v, (msci_lane() & ~3u) + (x & (w - 1u)));
}
uint msci_quad_shuffle_down_u32(uint v, uint x) {
  uint w = 4u, l = msci_lane() & (w - 1u);
  return msci_read(v, (msci_lane() & ~3u) + (l + x < w ? l + x : l));
}
uint msci_quad_shuffle_rotate_down_u32(uint v, uint x) {
  uint w = 4u, l = msci_lane() & (w - 1u);
  return msci_read(v, (msci_lane() & ~3u) + ((l + x) & (w - 1u)));
}
uint msci_quad_shuffle_rotate_up_u32(uint v, uint x) {
  uint w = 4u, l = msci_lane() & (w - 1u);
  return msci_read(v, (msci_lane() & ~3u) + ((l - x) & (w - 1u)));
}
uint msci_quad_shuffle_up_u32(uint v, uint x) {
  uint w = 4u, l = msci_lane() & (w - 1u);
  return msci_read(v, (msci_lane() & ~3u) + (l >= x ? l - x : l));
}
uint msci_quad_shuffle_xor_u32(uint v, uint x) {
  uint w = 4u, l = msci_lane() & (w - 1u);
  return msci_read(v, (msci_lane() & ~3u) + ((l ^ x) & (w - 1u)));
}
float msci_quad_sum_f32(float v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); float all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? all + x : x; any = true; }
  return all;
}
int msci_quad_sum_i32(int v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); int all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? all + x : x; any = true; }
  return all;
}
uint msci_quad_sum_u32(uint v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); uint all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? all + x : x; any = true; }
  return all;
}
uint msci_quad_xor_u32(uint v) {
  uint mask = (msci_active() >> (msci_lane() & ~3u) & 15u); uint all = v; bool any = false;
  for (uint l = 0; l < 4u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), (msci_lane() & ~3u) + l)); all = any ? all ^ x : x; any = true; }
  return all;
}
uint msci_simd_active(void) { return msci_active(); }
uint msci_simd_and_u32(uint v) {
  uint mask = msci_active(); uint all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), 0u + l)); all = any ? all & x : x; any = true; }
  return all;
}
uint msci_simd_ballot(uint v) { return msci_vote(v); }
uint msci_simd_broadcast_first_u32(uint v) {
  uint mask = msci_active();
  return msci_read(v, 0u + popcount((mask & -mask) - 1u));
}
float msci_simd_max_f32(float v) {
  uint mask = msci_active(); float all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), 0u + l)); all = any ? max(all, x) : x; any = true; }
  return all;
}
int msci_simd_max_i32(int v) {
  uint mask = msci_active(); int all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), 0u + l)); all = any ? max(all, x) : x; any = true; }
  return all;
}
uint msci_simd_max_u32(uint v) {
  uint mask = msci_active(); uint all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), 0u + l)); all = any ? max(all, x) : x; any = true; }
  return all;
}
float msci_simd_min_f32(float v) {
  uint mask = msci_active(); float all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), 0u + l)); all = any ? min(all, x) : x; any = true; }
  return all;
}
int msci_simd_min_i32(int v) {
  uint mask = msci_active(); int all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), 0u + l)); all = any ? min(all, x) : x; any = true; }
  return all;
}
uint msci_simd_min_u32(uint v) {
  uint mask = msci_active(); uint all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), 0u + l)); all = any ? min(all, x) : x; any = true; }
  return all;
}
uint msci_simd_or_u32(uint v) {
  uint mask = msci_active(); uint all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), 0u + l)); all = any ? all | x : x; any = true; }
  return all;
}
float msci_simd_prefix_exclusive_product_f32(float v) {
  uint mask = msci_active(), lane = msci_lane() & 31u; float all = 1;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), 0u + l)); if (l < lane) all = all * x; }
  return all;
}
int msci_simd_prefix_exclusive_product_i32(int v) {
  uint mask = msci_active(), lane = msci_lane() & 31u; int all = 1;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), 0u + l)); if (l < lane) all = all * x; }
  return all;
}
uint msci_simd_prefix_exclusive_product_u32(uint v) {
  uint mask = msci_active(), lane = msci_lane() & 31u; uint all = 1;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), 0u + l)); if (l < lane) all = all * x; }
  return all;
}
float msci_simd_prefix_exclusive_sum_f32(float v) {
  uint mask = msci_active(), lane = msci_lane() & 31u; float all = 0;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), 0u + l)); if (l < lane) all = all + x; }
  return all;
}
int msci_simd_prefix_exclusive_sum_i32(int v) {
  uint mask = msci_active(), lane = msci_lane() & 31u; int all = 0;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), 0u + l)); if (l < lane) all = all + x; }
  return all;
}
uint msci_simd_prefix_exclusive_sum_u32(uint v) {
  uint mask = msci_active(), lane = msci_lane() & 31u; uint all = 0;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), 0u + l)); if (l < lane) all = all + x; }
  return all;
}
float msci_simd_prefix_inclusive_product_f32(float v) {
  uint mask = msci_active(), lane = msci_lane() & 31u; float all = 1;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), 0u + l)); if (l <= lane) all = all * x; }
  return all;
}
int msci_simd_prefix_inclusive_product_i32(int v) {
  uint mask = msci_active(), lane = msci_lane() & 31u; int all = 1;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), 0u + l)); if (l <= lane) all = all * x; }
  return all;
}
uint msci_simd_prefix_inclusive_product_u32(uint v) {
  uint mask = msci_active(), lane = msci_lane() & 31u; uint all = 1;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), 0u + l)); if (l <= lane) all = all * x; }
  return all;
}
float msci_simd_prefix_inclusive_sum_f32(float v) {
  uint mask = msci_active(), lane = msci_lane() & 31u; float all = 0;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), 0u + l)); if (l <= lane) all = all + x; }
  return all;
}
int msci_simd_prefix_inclusive_sum_i32(int v) {
  uint mask = msci_active(), lane = msci_lane() & 31u; int all = 0;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), 0u + l)); if (l <= lane) all = all + x; }
  return all;
}
uint msci_simd_prefix_inclusive_sum_u32(uint v) {
  uint mask = msci_active(), lane = msci_lane() & 31u; uint all = 0;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), 0u + l)); if (l <= lane) all = all + x; }
  return all;
}
float msci_simd_product_f32(float v) {
  uint mask = msci_active(); float all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), 0u + l)); all = any ? all * x : x; any = true; }
  return all;
}
int msci_simd_product_i32(int v) {
  uint mask = msci_active(); int all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), 0u + l)); all = any ? all * x : x; any = true; }
  return all;
}
uint msci_simd_product_u32(uint v) {
  uint mask = msci_active(); uint all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), 0u + l)); all = any ? all * x : x; any = true; }
  return all;
}
uint msci_simd_shuffle_u32(uint v, uint x) {
  uint w = 32u, l = msci_lane() & (w - 1u);
  return msci_read(v, 0u + (x & (w - 1u)));
}
uint msci_simd_shuffle_down_u32(uint v, uint x) {
  uint w = 32u, l = msci_lane() & (w - 1u);
  return msci_read(v, 0u + (l + x < w ? l + x : l));
}
uint msci_simd_shuffle_rotate_down_u32(uint v, uint x) {
  uint w = 32u, l = msci_lane() & (w - 1u);
  return msci_read(v, 0u + ((l + x) & (w - 1u)));
}
uint msci_simd_shuffle_rotate_up_u32(uint v, uint x) {
  uint w = 32u, l = msci_lane() & (w - 1u);
  return msci_read(v, 0u + ((l - x) & (w - 1u)));
}
uint msci_simd_shuffle_up_u32(uint v, uint x) {
  uint w = 32u, l = msci_lane() & (w - 1u);
  return msci_read(v, 0u + (l >= x ? l - x : l));
}
uint msci_simd_shuffle_xor_u32(uint v, uint x) {
  uint w = 32u, l = msci_lane() & (w - 1u);
  return msci_read(v, 0u + ((l ^ x) & (w - 1u)));
}
float msci_simd_sum_f32(float v) {
  uint mask = msci_active(); float all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), 0u + l)); all = any ? all + x : x; any = true; }
  return all;
}
int msci_simd_sum_i32(int v) {
  uint mask = msci_active(); int all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { int x = as_int(msci_read(as_uint(v), 0u + l)); all = any ? all + x : x; any = true; }
  return all;
}
uint msci_simd_sum_u32(uint v) {
  uint mask = msci_active(); uint all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), 0u + l)); all = any ? all + x : x; any = true; }
  return all;
}
uint msci_simd_xor_u32(uint v) {
  uint mask = msci_active(); uint all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), 0u + l)); all = any ? all ^ x : x; any = true; }
  return all;
}
#else
// Lanes that carry out a function together.
uint msci_width(uint code) {
  switch (code) {
    case 72u:
    case 38u:
    case 70u:
    case 68u:
    case 32u:
    case 34u:
    case 36u:
    case 26u:
    case 28u:
    case 30u:
    case 40u:
    case 62u:
    case 64u:
    case 66u:
    case 50u:
    case 52u:
    case 54u:
    case 56u:
    case 58u:
    case 60u:
    case 44u:
    case 46u:
    case 48u:
    case 20u:
    case 22u:
    case 24u:
    case 2u:
    case 8u:
    case 12u:
    case 10u:
    case 6u:
    case 4u:
    case 14u:
    case 16u:
    case 18u:
    case 42u:
      return 4u;
    default: return 32u;
  }
}

// The lane, of w, that lane l reads; itself for what does not travel.
uint msci_source(uint code, uint l, uint x, uint w) {
  switch (code) {
    case 2u: return x & (w - 1u);
    case 8u: return l + x < w ? l + x : l;
    case 12u: return (l + x) & (w - 1u);
    case 10u: return (l - x) & (w - 1u);
    case 6u: return l >= x ? l - x : l;
    case 4u: return (l ^ x) & (w - 1u);
    case 1u: return x & (w - 1u);
    case 7u: return l + x < w ? l + x : l;
    case 11u: return (l + x) & (w - 1u);
    case 9u: return (l - x) & (w - 1u);
    case 5u: return l >= x ? l - x : l;
    case 3u: return (l ^ x) & (w - 1u);
    default: return l;
  }
}

// Of one simdgroup: which threads go on, and what their words become.
void msci_combine(uint code, __local uint* values, uint mask, uint w) {
  switch (code) {
    case 72u: {
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = mask;
      break;
    }
    case 38u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? all & x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 70u: {
      uint all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) all |= (uint)(values[l] != 0) << l;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = all;
      break;
    }
    case 68u: {
      uint all = values[popcount((mask & -mask) - 1u)];
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = all;
      break;
    }
    case 32u: {
      float all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); all = any ? max(all, x) : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 34u: {
      int all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); all = any ? max(all, x) : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 36u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? max(all, x) : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 26u: {
      float all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); all = any ? min(all, x) : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 28u: {
      int all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); all = any ? min(all, x) : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 30u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? min(all, x) : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 40u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? all | x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 62u: {
      float all = 1;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); values[l] = as_uint(all); all = all * x; }
      break;
    }
    case 64u: {
      int all = 1;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); values[l] = as_uint(all); all = all * x; }
      break;
    }
    case 66u: {
      uint all = 1;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); values[l] = as_uint(all); all = all * x; }
      break;
    }
    case 50u: {
      float all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); values[l] = as_uint(all); all = all + x; }
      break;
    }
    case 52u: {
      int all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); values[l] = as_uint(all); all = all + x; }
      break;
    }
    case 54u: {
      uint all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); values[l] = as_uint(all); all = all + x; }
      break;
    }
    case 56u: {
      float all = 1;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); all = all * x; values[l] = as_uint(all); }
      break;
    }
    case 58u: {
      int all = 1;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); all = all * x; values[l] = as_uint(all); }
      break;
    }
    case 60u: {
      uint all = 1;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = all * x; values[l] = as_uint(all); }
      break;
    }
    case 44u: {
      float all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); all = all + x; values[l] = as_uint(all); }
      break;
    }
    case 46u: {
      int all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); all = all + x; values[l] = as_uint(all); }
      break;
    }
    case 48u: {
      uint all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = all + x; values[l] = as_uint(all); }
      break;
    }
    case 20u: {
      float all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); all = any ? all * x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 22u: {
      int all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); all = any ? all * x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 24u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? all * x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 14u: {
      float all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); all = any ? all + x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 16u: {
      int all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); all = any ? all + x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 18u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? all + x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 42u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? all ^ x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 71u: {
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = mask;
      break;
    }
    case 37u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? all & x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 69u: {
      uint all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) all |= (uint)(values[l] != 0) << l;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = all;
      break;
    }
    case 67u: {
      uint all = values[popcount((mask & -mask) - 1u)];
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = all;
      break;
    }
    case 31u: {
      float all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); all = any ? max(all, x) : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 33u: {
      int all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); all = any ? max(all, x) : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 35u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? max(all, x) : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 25u: {
      float all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); all = any ? min(all, x) : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 27u: {
      int all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); all = any ? min(all, x) : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 29u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? min(all, x) : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 39u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? all | x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 61u: {
      float all = 1;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); values[l] = as_uint(all); all = all * x; }
      break;
    }
    case 63u: {
      int all = 1;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); values[l] = as_uint(all); all = all * x; }
      break;
    }
    case 65u: {
      uint all = 1;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); values[l] = as_uint(all); all = all * x; }
      break;
    }
    case 49u: {
      float all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); values[l] = as_uint(all); all = all + x; }
      break;
    }
    case 51u: {
      int all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); values[l] = as_uint(all); all = all + x; }
      break;
    }
    case 53u: {
      uint all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); values[l] = as_uint(all); all = all + x; }
      break;
    }
    case 55u: {
      float all = 1;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); all = all * x; values[l] = as_uint(all); }
      break;
    }
    case 57u: {
      int all = 1;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); all = all * x; values[l] = as_uint(all); }
      break;
    }
    case 59u: {
      uint all = 1;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = all * x; values[l] = as_uint(all); }
      break;
    }
    case 43u: {
      float all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); all = all + x; values[l] = as_uint(all); }
      break;
    }
    case 45u: {
      int all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); all = all + x; values[l] = as_uint(all); }
      break;
    }
    case 47u: {
      uint all = 0;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = all + x; values[l] = as_uint(all); }
      break;
    }
    case 19u: {
      float all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); all = any ? all * x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 21u: {
      int all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); all = any ? all * x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 23u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? all * x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 13u: {
      float all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); all = any ? all + x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 15u: {
      int all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { int x = as_int(values[l]); all = any ? all + x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 17u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? all + x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    case 41u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? all ^ x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    default: break;
  }
}

void msci_lead(__local const uint* places, __local uint* values, __local uint* earliest, uint count) {
  uint place = 0xffffffffu, mask = 0;
  for (uint l = 0; l < count; ++l) place = min(place, places[l]);
  for (uint l = 0; l < count; ++l) mask |= (uint)(places[l] == place) << l;
  *earliest = place;
  if (place == 0xffffffffu) return;
  uint code = place & 255u, w = msci_width(code);
  for (uint first = 0; first < 32u; first += w) {
    uint lanes = w == 32u ? mask : mask >> first & 15u;
    if (lanes) msci_combine(code, values + first, lanes, w);
  }
}

// Whether every simdgroup waits at a barrier or has returned.
bool msci_all_wait(__local const uint* earliest, uint simdgroups) {
  for (uint s = 0; s < simdgroups; ++s)
    if (earliest[s] != 0xffffffffu && (earliest[s] & 255u) != 0u) return false;
  return true;
}

bool msci_all_returned(__local const uint* earliest, uint simdgroups) {
  for (uint s = 0; s < simdgroups; ++s)
    if (earliest[s] != 0xffffffffu) return false;
  return true;
}

uint msci_answer(uint place, __local const uint* values, uint thread, uint argument) {
  uint w = msci_width(place & 255u), l = thread & (w - 1u);
  return values[(thread & ~(w - 1u)) + msci_source(place & 255u, l, argument, w)];
}
#endif

#ifdef MSCI_NATIVE_SIMDGROUPS
__kernel void msci_total(__global uchar* arg0, ulong offset0, __global uchar* arg1, ulong offset1, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  __global uchar* v0 = arg0 + (long)offset0;
  ulong v1 = get_global_id(0u);
  ulong v2 = get_local_size(1u);
  uint v3 = (uint)v2;
  ulong v4 = get_local_id(2u);
  uint v5 = (uint)v4;
  uint v6 = v5 * v3;
  ulong v7 = get_local_id(1u);
  uint v8 = (uint)v7;
  uint v9 = v6 + v8;
  ulong v10 = get_local_id(0u);
  uint v11 = (uint)v10;
  ulong v12 = get_local_size(0u);
  uint v13 = (uint)v12;
  uint v14 = v9 * v13;
  uint v15 = v14 + v11;
  uint v16 = v15 & 31u;
  ulong v17 = v1 & 4294967295ul;
  __global uchar* v18 = v0 + (long)v17 * 4;
  float v19 = *(__global float*)v18;
  float v20 = msci_simd_sum_f32(v19);
  bool v21 = v16 == 0u;
  if (v21) {
    goto b1;
  }
  goto b2;
b1:;
  uint v22 = (uint)v1;
  __global uchar* v23 = arg1 + (long)offset1;
  uint v24 = v22 >> 5u;
  ulong v25 = (ulong)v24;
  __global uchar* v26 = v23 + (long)v25 * 4;
  *(__global float*)v26 = v20;
  goto b2;
b2:;
  return;
}
#else
__kernel void msci_total(__global uchar* arg0, ulong offset0, __global uchar* arg1, ulong offset1, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  __local uint places[1024], values[1024], earliest[32];
  const uint thread = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
  const uint threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
  uint place = 0, posted = 0, argument = 0, answer = 0;
  bool goes_on = true;
resume:;
  if (!goes_on) goto wait;
  switch (place) {
    case 0x10du: goto resume1;
    default: goto b0;
  }
b0:;
  __global uchar* v0 = arg0 + (long)offset0;
  ulong v1 = get_global_id(0u);
  ulong v2 = get_local_size(1u);
  uint v3 = (uint)v2;
  ulong v4 = get_local_id(2u);
  uint v5 = (uint)v4;
  uint v6 = v5 * v3;
  ulong v7 = get_local_id(1u);
  uint v8 = (uint)v7;
  uint v9 = v6 + v8;
  ulong v10 = get_local_id(0u);
  uint v11 = (uint)v10;
  ulong v12 = get_local_size(0u);
  uint v13 = (uint)v12;
  uint v14 = v9 * v13;
  uint v15 = v14 + v11;
  uint v16 = v15 & 31u;
  ulong v17 = v1 & 4294967295ul;
  __global uchar* v18 = v0 + (long)v17 * 4;
  float v19 = *(__global float*)v18;
  posted = as_uint(v19); argument = 0u; place = 0x10du; goto wait;
resume1:;
  float v20 = as_float(answer);
  bool v21 = v16 == 0u;
  if (v21) {
    goto b1;
  }
  goto b2;
b1:;
  uint v22 = (uint)v1;
  __global uchar* v23 = arg1 + (long)offset1;
  uint v24 = v22 >> 5u;
  ulong v25 = (ulong)v24;
  __global uchar* v26 = v23 + (long)v25 * 4;
  *(__global float*)v26 = v20;
  goto b2;
b2:;
  place = 0xffffffffu; goto wait;
wait:;
  places[thread] = place;
  values[thread] = posted;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if ((thread & 31u) == 0u)
    msci_lead(places + thread, values + thread, earliest + thread / 32u, min(32u, threads - thread));
  barrier(CLK_LOCAL_MEM_FENCE);
  goes_on = place != 0xffffffffu && place == earliest[thread / 32u] &&
            ((place & 255u) != 0u || msci_all_wait(earliest, (threads + 31u) / 32u));
  if (goes_on) answer = msci_answer(place, values, thread, argument);
  bool all_returned = msci_all_returned(earliest, (threads + 31u) / 32u);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!all_returned) goto resume;
}
#endif
