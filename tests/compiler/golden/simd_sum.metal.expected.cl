/* msci-program 1
{
 "source": "simd_sum.metal",
 "sha256": "93974bd69edae56c3651afda359577064a3291e71be1f47fc0eb852de501e950",
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
#ifndef MSCI_RESTRICT
#define MSCI_RESTRICT
#endif
#ifdef MSCI_NATIVE_SIMDGROUPS
#define MSCI_STEP(space, type, pointer, count) ((pointer) + (count) * (long)sizeof(type))
#else
#define MSCI_STEP(space, type, pointer, count) ((space uchar*)((space type*)(pointer) + (count)))
#endif
#ifdef MSCI_NATIVE_SIMDGROUPS
uint msci_lane(void) { uint l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }
uint msci_active(void) { uint m; asm volatile("activemask.b32 %0;" : "=r"(m)); return m; }
uint msci_read(uint v, uint lane, uint m) {
  uint r;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;" : "=r"(r) : "r"(v), "r"(lane), "r"(m));
  return r;
}
uint msci_vote(uint v, uint m) {
  uint r;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }" : "=r"(r) : "r"(v), "r"(m));
  return r;
}
float msci_simd_sum_f32(float v, uint active) {
  uint mask = active; float all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { float x = as_float(msci_read(as_uint(v), 0u + l, active)); all = any ? all + x : x; any = true; }
  return all;
}
#else
// Lanes that carry out a function together.
uint msci_width(uint code) {
  switch (code) {
    default: return 32u;
  }
}

// The thread whose word `thread` reads; its own for what does not travel.
uint msci_source(uint code, uint thread, uint x) {
  uint w = msci_width(code), l = thread & (w - 1u), first = thread - l;
  switch (code) {
    default: return thread;
  }
}

// Of lanes that act together: what the words of those in `mask` become.
void msci_join(uint code, __local uint* values, uint mask, uint w) {
  switch (code) {
    case 13u: {
      float all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { float x = as_float(values[l]); all = any ? all + x : x; any = true; }
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) values[l] = as_uint(all);
      break;
    }
    default: break;
  }
}

// The same for one simdgroup.
void msci_combine(uint code, __local uint* values, uint mask) {
  uint w = msci_width(code);
  for (uint first = 0; first < 32u; first += w) {
    uint lanes = w == 32u ? mask : mask >> first & 15u;
    if (lanes) msci_join(code, values + first, lanes, w);
  }
}

// Of one simdgroup: the earliest place, and the threads there, which go on.
uint msci_lead(__local const uint* places, __local uint* earliest, uint count) {
  uint place = 0xffffffffu, mask = 0;
  for (uint l = 0; l < count; ++l) place = min(place, places[l]);
  for (uint l = 0; l < count; ++l) mask |= (uint)(places[l] == place) << l;
  *earliest = place;
  return mask;
}

// Whether every simdgroup waits at a barrier or has returned.
bool msci_all_wait(__local const uint* earliest, uint simdgroups) {
  for (uint s = 0; s < simdgroups; ++s)
    if (earliest[s] != 0xffffffffu && (earliest[s] & 1u) != 0u) return false;
  return true;
}

bool msci_all_returned(__local const uint* earliest, uint simdgroups) {
  for (uint s = 0; s < simdgroups; ++s)
    if (earliest[s] != 0xffffffffu) return false;
  return true;
}
#endif

#ifdef MSCI_NATIVE_SIMDGROUPS
__kernel void msci_total(__global uchar* MSCI_RESTRICT arg0, ulong offset0, __global uchar* MSCI_RESTRICT arg1, ulong offset1, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  ulong v0 = get_global_id(0u);
  ulong v1 = get_local_id(2u);
  ulong v2 = get_local_size(1u);
  ulong v3 = get_local_id(1u);
  ulong v4 = get_local_size(0u);
  ulong v5 = get_local_id(0u);
  __global uchar* v6 = arg0 + (long)offset0;
  ulong v7 = v0 & 4294967295ul;
  __global uchar* v8 = MSCI_STEP(__global, uint, v6, (long)v7);
  float v9 = *(__global float*)v8;
  float v10 = msci_simd_sum_f32(v9, msci_active());
  uint v11 = (uint)v1;
  uint v12 = (uint)v2;
  uint v13 = v11 * v12;
  uint v14 = (uint)v3;
  uint v15 = v13 + v14;
  uint v16 = (uint)v4;
  uint v17 = v15 * v16;
  uint v18 = (uint)v5;
  uint v19 = v17 + v18;
  uint v20 = v19 & 31u;
  bool v21 = v20 == 0u;
  if (v21) {
    goto b1;
  }
  goto b2;
b1:;
  __global uchar* v22 = arg1 + (long)offset1;
  uint v23 = (uint)v0;
  uint v24 = v23 >> 5u;
  ulong v25 = (ulong)v24;
  __global uchar* v26 = MSCI_STEP(__global, uint, v22, (long)v25);
  *(__global float*)v26 = v10;
  goto b2;
b2:;
  return;
}
#else
__kernel void msci_total(__global uchar* MSCI_RESTRICT arg0, ulong offset0, __global uchar* MSCI_RESTRICT arg1, ulong offset1, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  __local uint places[2048], values[2048], earliest[32];
  const uint half_places = 1024u, half_values = 1024u;
  const uint thread = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
  const uint threads = get_local_size(0) * get_local_size(1) * get_local_size(2);
  uint place = 0, words = 0, turn = 0;
  bool goes_on = true;
resume:;
  if (!goes_on) {
    for (uint i = 0; i < words; ++i)
      values[turn * half_values + i * half_places + thread] = values[(1u - turn) * half_values + i * half_places + thread];
    goto wait;
  }
  switch (place) {
    case 0x3u: goto resume1;
    default: goto b0;
  }
b0:;
  ulong v0 = get_global_id(0u);
  ulong v1 = get_local_id(2u);
  ulong v2 = get_local_size(1u);
  ulong v3 = get_local_id(1u);
  ulong v4 = get_local_size(0u);
  ulong v5 = get_local_id(0u);
  __global uchar* v6 = arg0 + (long)offset0;
  ulong v7 = v0 & 4294967295ul;
  __global uchar* v8 = MSCI_STEP(__global, uint, v6, (long)v7);
  float v9 = *(__global float*)v8;
  values[turn * half_values + 0u + thread] = as_uint(v9); words = 1u; place = 0x3u; goto wait;
resume1:;
  float v10 = as_float(values[(1u - turn) * half_values + 0u + thread]);
  uint v11 = (uint)v1;
  uint v12 = (uint)v2;
  uint v13 = v11 * v12;
  uint v14 = (uint)v3;
  uint v15 = v13 + v14;
  uint v16 = (uint)v4;
  uint v17 = v15 * v16;
  uint v18 = (uint)v5;
  uint v19 = v17 + v18;
  uint v20 = v19 & 31u;
  bool v21 = v20 == 0u;
  if (v21) {
    goto b1;
  }
  goto b2;
b1:;
  __global uchar* v22 = arg1 + (long)offset1;
  uint v23 = (uint)v0;
  uint v24 = v23 >> 5u;
  ulong v25 = (ulong)v24;
  __global uchar* v26 = MSCI_STEP(__global, uint, v22, (long)v25);
  *(__global float*)v26 = v10;
  goto b2;
b2:;
  place = 0xffffffffu; goto wait;
wait:;
  places[turn * half_places + thread] = place;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if ((thread & 31u) == 0u) {
    uint mask = msci_lead(places + turn * half_places + thread, earliest + thread / 32u, min(32u, threads - thread));
    switch (earliest[thread / 32u]) {
      case 0x3u: msci_combine(13u, &values[turn * half_values + 0u + thread], mask); break;
      default: break;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  goes_on = place != 0xffffffffu && place == earliest[thread / 32u] &&
            ((place & 1u) != 0u || msci_all_wait(earliest, (threads + 31u) / 32u));
  bool all_returned = msci_all_returned(earliest, (threads + 31u) / 32u);
  turn = 1u - turn;
  if (!all_returned) goto resume;
}
#endif
