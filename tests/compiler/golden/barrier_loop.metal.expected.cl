/* msci-program 1
{
 "source": "barrier_loop.metal",
 "sha256": "524be7e8c24bc51e4aaaf2a34194a708641d6fbb3123195043cabc2c63fd72bd",
 "kernels": [
  {
   "name": "largest",
   "symbol": "msci_largest",
   "threadgroup_bytes": 1024,
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
     "name": "out",
     "type": "uint"
    },
    {
     "kind": "buffer",
     "index": 2,
     "constant": true,
     "name": "n",
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

__kernel void msci_largest(__global uchar* MSCI_RESTRICT arg0, ulong offset0, __global uchar* MSCI_RESTRICT arg1, ulong offset1, __global uchar* restrict arg2, ulong offset2, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  __local uchar shared0[1024] __attribute__((aligned(16)));
  uint p0;
  ulong v0 = get_local_id(0u);
  __global uchar* v1 = arg0 + (long)offset0;
  ulong v2 = v0 & 4294967295ul;
  __global uchar* v3 = MSCI_STEP(__global, uint, v1, (long)v2);
  uint v4 = *(__global uint*)v3;
  __local uchar* v5 = MSCI_STEP(__local, uint, shared0, (long)v2);
  __global uchar* v6 = arg2 + (long)offset2;
  uint v7 = *(__global uint*)v6;
  *(__local uint*)v5 = v4;
  bool v8 = v7 > 1u;
  uint v9 = (uint)v0;
  if (v8) {
    p0 = 1u;
    goto b1;
  }
  goto b4;
b1:;
  uint v10 = p0;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  uint v11 = v10 << 1u;
  uint v12 = v11 + 4294967295u;
  uint v13 = v12 & v9;
  bool v14 = v13 == 0u;
  if (v14) {
    goto b2;
  }
  goto b3;
b2:;
  uint v15 = *(__local uint*)v5;
  uint v16 = v10 + v9;
  ulong v17 = (ulong)v16;
  __local uchar* v18 = MSCI_STEP(__local, uint, shared0, (long)v17);
  uint v19 = *(__local uint*)v18;
  uint v20 = max(v15, v19);
  *(__local uint*)v5 = v20;
  goto b3;
b3:;
  bool v21 = v11 < v7;
  if (v21) {
    p0 = v11;
    goto b1;
  }
  goto b4;
b4:;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  uint v22 = *(__local uint*)shared0;
  __global uchar* v23 = arg1 + (long)offset1;
  __global uchar* v24 = MSCI_STEP(__global, uint, v23, (long)v2);
  *(__global uint*)v24 = v22;
  return;
}
