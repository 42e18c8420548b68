/* msci-program 1
{
 "source": "barrier.metal",
 "sha256": "89532536a585ef94237a7dc354569bb7012c9dbf44cf5e6d08ebc8862a2f7d61",
 "kernels": [
  {
   "name": "reverse",
   "symbol": "msci_reverse",
   "threadgroup_bytes": 256,
   "thread_limit": null,
   "uses_simdgroups": false,
   "arguments": [
    {
     "kind": "buffer",
     "index": 0,
     "constant": false,
     "name": "data",
     "type": "uint"
    },
    {
     "kind": "threadgroup",
     "index": 0,
     "constant": false,
     "name": "extra",
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

__kernel void msci_reverse(__global uchar* MSCI_RESTRICT arg0, ulong offset0, __local ulong2* arg1_memory, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  __local uchar* arg1 = (__local uchar*)arg1_memory;
  __local uchar shared0[256] __attribute__((aligned(16)));
  ulong v0 = get_global_id(0u);
  ulong v1 = get_local_id(0u);
  ulong v2 = get_local_size(0u);
  __global uchar* v3 = arg0 + (long)offset0;
  ulong v4 = v0 & 4294967295ul;
  __global uchar* v5 = MSCI_STEP(__global, uint, v3, (long)v4);
  uint v6 = *(__global uint*)v5;
  ulong v7 = v1 & 4294967295ul;
  __local uchar* v8 = MSCI_STEP(__local, uint, shared0, (long)v7);
  *(__local uint*)v8 = v6;
  uint v9 = (uint)v1;
  __local uchar* v10 = MSCI_STEP(__local, uint, arg1, (long)v7);
  *(__local uint*)v10 = v9;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  uint v11 = v9 ^ 4294967295u;
  uint v12 = (uint)v2;
  uint v13 = v11 + v12;
  ulong v14 = (ulong)v13;
  __local uchar* v15 = MSCI_STEP(__local, uint, arg1, (long)v14);
  uint v16 = *(__local uint*)v15;
  __local uchar* v17 = MSCI_STEP(__local, uint, shared0, (long)v14);
  uint v18 = *(__local uint*)v17;
  uint v19 = v16 + v18;
  *(__global uint*)v5 = v19;
  return;
}
