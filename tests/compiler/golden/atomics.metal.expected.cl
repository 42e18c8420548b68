/* msci-program 1
{
 "source": "atomics.metal",
 "sha256": "7c575f5ed6a9911f699ed3585b4dbbd4dfe6316e2db60bff479c80a981355084",
 "kernels": [
  {
   "name": "count",
   "symbol": "msci_count",
   "threadgroup_bytes": 0,
   "thread_limit": null,
   "uses_simdgroups": false,
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
     "name": "bins",
     "type": "atomic_uint"
    },
    {
     "kind": "buffer",
     "index": 2,
     "constant": false,
     "name": "sum",
     "type": "atomic_float"
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

float msci_atomic_add_global(volatile __global uint* p, float x) {
  uint old = *p, seen;
  while ((seen = atomic_cmpxchg(p, old, as_uint(as_float(old) + x))) != old) old = seen;
  return as_float(old);
}

__kernel void msci_count(__global uchar* MSCI_RESTRICT arg0, ulong offset0, __global uchar* MSCI_RESTRICT arg1, ulong offset1, __global uchar* MSCI_RESTRICT arg2, ulong offset2, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  ulong v0 = get_global_id(0u);
  __global uchar* v1 = arg1 + (long)offset1;
  __global uchar* v2 = arg0 + (long)offset0;
  ulong v3 = v0 & 4294967295ul;
  __global uchar* v4 = MSCI_STEP(__global, uint, v2, (long)v3);
  uint v5 = *(__global uint*)v4;
  uint v6 = v5 & 7u;
  ulong v7 = (ulong)v6;
  __global uchar* v8 = MSCI_STEP(__global, uint, v1, (long)v7);
  uint v9 = atomic_add((volatile __global uint*)v8, 1u);
  __global uchar* v10 = arg2 + (long)offset2;
  uint v11 = *(__global uint*)v4;
  float v12 = (float)v11;
  float v13 = msci_atomic_add_global((volatile __global uint*)v10, v12);
  return;
}
