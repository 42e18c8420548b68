/* msci-program 1
{
 "source": "atomics.metal",
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

float msci_atomic_add_global(volatile __global uint* p, float x) {
  uint old = *p, seen;
  while ((seen = atomic_cmpxchg(p, old, as_uint(as_float(old) + x))) != old) old = seen;
  return as_float(old);
}

__kernel void msci_count(__global uchar* arg0, ulong offset0, __global uchar* arg1, ulong offset1, __global uchar* arg2, ulong offset2, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  __global uchar* v0 = arg0 + (long)offset0;
  __global uchar* v1 = arg1 + (long)offset1;
  __global uchar* v2 = arg2 + (long)offset2;
  ulong v3 = get_global_id(0u);
  ulong v4 = v3 & 4294967295ul;
  __global uchar* v5 = v0 + (long)v4 * 4;
  uint v6 = *(__global uint*)v5;
  uint v7 = v6 & 7u;
  ulong v8 = (ulong)v7;
  __global uchar* v9 = v1 + (long)v8 * 4;
  uint v10 = atomic_add((volatile __global uint*)v9, 1u);
  uint v11 = *(__global uint*)v5;
  float v12 = (float)v11;
  float v13 = msci_atomic_add_global((volatile __global uint*)v2, v12);
  return;
}
