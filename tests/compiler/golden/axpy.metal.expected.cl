/* msci-program 1
{
 "source": "axpy.metal",
 "sha256": "809a827aeb5a8bd6dd74e729ffb6d99c0cb6cc963a91ffb49b516e73f7f78814",
 "kernels": [
  {
   "name": "axpy",
   "symbol": "msci_axpy",
   "threadgroup_bytes": 0,
   "thread_limit": null,
   "uses_simdgroups": false,
   "arguments": [
    {
     "kind": "buffer",
     "index": 0,
     "constant": true,
     "name": "x",
     "type": "float"
    },
    {
     "kind": "buffer",
     "index": 1,
     "constant": false,
     "name": "y",
     "type": "float"
    },
    {
     "kind": "buffer",
     "index": 2,
     "constant": true,
     "name": "a",
     "type": "float"
    },
    {
     "kind": "buffer",
     "index": 3,
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

__kernel void msci_axpy(__global uchar* MSCI_RESTRICT arg0, ulong offset0, __global uchar* MSCI_RESTRICT arg1, ulong offset1, __global uchar* restrict arg2, ulong offset2, __global uchar* restrict arg3, ulong offset3, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  ulong v0 = get_global_id(0u);
  __global uchar* v1 = arg3 + (long)offset3;
  uint v2 = *(__global uint*)v1;
  uint v3 = (uint)v0;
  bool v4 = v2 > v3;
  __global uchar* v5 = arg2 + (long)offset2;
  float v6 = *(__global float*)v5;
  if (v4) {
    goto b1;
  }
  goto b2;
b1:;
  __global uchar* v7 = arg0 + (long)offset0;
  ulong v8 = v0 & 4294967295ul;
  __global uchar* v9 = MSCI_STEP(__global, uint, v7, (long)v8);
  float v10 = *(__global float*)v9;
  __global uchar* v11 = arg1 + (long)offset1;
  __global uchar* v12 = MSCI_STEP(__global, uint, v11, (long)v8);
  float v13 = *(__global float*)v12;
  float v14 = v10 * v6 + v13;
  *(__global float*)v12 = v14;
  goto b2;
b2:;
  return;
}
