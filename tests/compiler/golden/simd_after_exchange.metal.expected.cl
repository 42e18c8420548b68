/* msci-program 1
{
 "source": "simd_after_exchange.metal",
 "sha256": "4ee15366f6ed8399f2435816034569110af104d6a765f5ba43f144f5b747ab2e",
 "kernels": [
  {
   "name": "claim",
   "symbol": "msci_claim",
   "threadgroup_bytes": 4,
   "thread_limit": null,
   "uses_simdgroups": true,
   "arguments": [
    {
     "kind": "buffer",
     "index": 0,
     "constant": true,
     "name": "in",
     "type": "uint"
    },
    {
     "kind": "buffer",
     "index": 1,
     "constant": false,
     "name": "out",
     "type": "uint"
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

// Waits until each lane of the simdgroup is at a place or has returned; those at the earliest place
// go on. `top` is the highest bit of all places.
uint msci_meet(uint place, uint top) {
  uint lanes;
  do {
    lanes = msci_vote(1u, ~0u);
    for (uint bit = top; bit; bit >>= 1) {
      uint low = msci_vote((place & bit) == 0u, ~0u) & lanes;
      if (low) lanes = low;
    }
    if (!(msci_vote(place & 1u, ~0u) & lanes)) barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  } while (!(lanes >> msci_lane() & 1u));
  return lanes;
}
uint msci_simd_sum_u32(uint v, uint active) {
  uint mask = active; uint all = v; bool any = false;
  for (uint l = 0; l < 32u; ++l)
    if (mask >> l & 1u) { uint x = as_uint(msci_read(as_uint(v), 0u + l, active)); all = any ? all + x : x; any = true; }
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
    case 17u: {
      uint all = 0; bool any = false;
      for (uint l = 0; l < w; ++l)
        if (mask >> l & 1u) { uint x = as_uint(values[l]); all = any ? all + x : x; any = true; }
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
__kernel void msci_claim(__global uchar* MSCI_RESTRICT arg0, ulong offset0, __global uchar* MSCI_RESTRICT arg1, ulong offset1, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  __local uchar shared0[4] __attribute__((aligned(16)));
  uint p0;
  uint m0;
  bool m1;
  const uint top = 0x4u;
  ulong v0 = get_global_id(0u);
  ulong v1 = get_local_id(2u);
  ulong v2 = get_local_size(1u);
  ulong v3 = get_local_id(1u);
  ulong v4 = get_local_size(0u);
  ulong v5 = get_local_id(0u);
  uint v6 = (uint)v1;
  uint v7 = (uint)v2;
  uint v8 = v6 * v7;
  uint v9 = (uint)v3;
  uint v10 = v8 + v9;
  uint v11 = (uint)v4;
  uint v12 = v10 * v11;
  uint v13 = (uint)v5;
  uint v14 = 0u - v13;
  bool v15 = v12 == v14;
  __global uchar* v16 = arg0 + (long)offset0;
  if (v15) {
    goto b1;
  }
  goto b2;
b1:;
  *(volatile __local uint*)shared0 = 0u;
  goto b2;
b2:;
  msci_meet(0x2u, top);
  uint v17 = *(volatile __local uint*)shared0;
  ulong v18 = v0 & 4294967295ul;
  __global uchar* v19 = MSCI_STEP(__global, uint, v16, (long)v18);
  p0 = v17;
  goto b3;
b3:;
  uint v20 = p0;
  uint v21 = v20 * 3u;
  uint v22 = *(__global uint*)v19;
  uint v23 = v21 + v22;
  m0 = atomic_cmpxchg((volatile __local uint*)shared0, v20, v23);
  m1 = m0 == v20;
  bool v24 = m1;
  uint v25 = m0;
  if (v24) {
    goto b4;
  }
  p0 = v25;
  goto b3;
b4:;
  uint v26 = *(__global uint*)v19;
  uint v27 = msci_simd_sum_u32(v26, msci_meet(0x5u, top));
  __global uchar* v28 = arg1 + (long)offset1;
  __global uchar* v29 = MSCI_STEP(__global, uint, v28, (long)v18);
  *(__global uint*)v29 = v27;
  return;
}
#else
__kernel void msci_claim(__global uchar* MSCI_RESTRICT arg0, ulong offset0, __global uchar* MSCI_RESTRICT arg1, ulong offset1, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  __local uchar shared0[4] __attribute__((aligned(16)));
  uint p0;
  uint m0;
  bool m1;
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
    case 0x2u: goto resume1;
    case 0x5u: goto resume2;
    default: goto b0;
  }
b0:;
  ulong v0 = get_global_id(0u);
  ulong v1 = get_local_id(2u);
  ulong v2 = get_local_size(1u);
  ulong v3 = get_local_id(1u);
  ulong v4 = get_local_size(0u);
  ulong v5 = get_local_id(0u);
  uint v6 = (uint)v1;
  uint v7 = (uint)v2;
  uint v8 = v6 * v7;
  uint v9 = (uint)v3;
  uint v10 = v8 + v9;
  uint v11 = (uint)v4;
  uint v12 = v10 * v11;
  uint v13 = (uint)v5;
  uint v14 = 0u - v13;
  bool v15 = v12 == v14;
  __global uchar* v16 = arg0 + (long)offset0;
  if (v15) {
    goto b1;
  }
  goto b2;
b1:;
  *(volatile __local uint*)shared0 = 0u;
  goto b2;
b2:;
  words = 0u; place = 0x2u; goto wait;
resume1:;
  uint v17 = *(volatile __local uint*)shared0;
  ulong v18 = v0 & 4294967295ul;
  __global uchar* v19 = MSCI_STEP(__global, uint, v16, (long)v18);
  p0 = v17;
  goto b3;
b3:;
  uint v20 = p0;
  uint v21 = v20 * 3u;
  uint v22 = *(__global uint*)v19;
  uint v23 = v21 + v22;
  m0 = atomic_cmpxchg((volatile __local uint*)shared0, v20, v23);
  m1 = m0 == v20;
  bool v24 = m1;
  uint v25 = m0;
  if (v24) {
    goto b4;
  }
  p0 = v25;
  goto b3;
b4:;
  uint v26 = *(__global uint*)v19;
  values[turn * half_values + 0u + thread] = v26; words = 1u; place = 0x5u; goto wait;
resume2:;
  uint v27 = values[(1u - turn) * half_values + 0u + thread];
  __global uchar* v28 = arg1 + (long)offset1;
  __global uchar* v29 = MSCI_STEP(__global, uint, v28, (long)v18);
  *(__global uint*)v29 = v27;
  place = 0xffffffffu; goto wait;
wait:;
  places[turn * half_places + thread] = place;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if ((thread & 31u) == 0u) {
    uint mask = msci_lead(places + turn * half_places + thread, earliest + thread / 32u, min(32u, threads - thread));
    switch (earliest[thread / 32u]) {
      case 0x5u: msci_combine(17u, &values[turn * half_values + 0u + thread], mask); break;
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
