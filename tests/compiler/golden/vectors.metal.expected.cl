/* msci-program 1
{
 "source": "vectors.metal",
 "sha256": "00d3a5094c46b661dc16d30c6caf324399c8df104d1ace971108a30f2bc23c04",
 "kernels": [
  {
   "name": "clipped_pull",
   "symbol": "msci_clipped_pull",
   "threadgroup_bytes": 0,
   "thread_limit": null,
   "uses_simdgroups": false,
   "arguments": [
    {
     "kind": "buffer",
     "index": 0,
     "constant": true,
     "name": "in",
     "type": "float4"
    },
    {
     "kind": "buffer",
     "index": 1,
     "constant": false,
     "name": "out",
     "type": "float4"
    },
    {
     "kind": "buffer",
     "index": 2,
     "constant": true,
     "name": "count",
     "type": "uint"
    },
    {
     "kind": "buffer",
     "index": 3,
     "constant": true,
     "name": "reach",
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

__kernel void msci_clipped_pull(__global uchar* MSCI_RESTRICT arg0, ulong offset0, __global uchar* MSCI_RESTRICT arg1, ulong offset1, __global uchar* restrict arg2, ulong offset2, __global uchar* restrict arg3, ulong offset3, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  float4 p0;
  float4 p1;
  uint p2;
  uint4 p3;
  ulong v0 = get_global_id(0u);
  __global uchar* v1 = arg2 + (long)offset2;
  uint v2 = *(__global uint*)v1;
  bool v3 = v2 == 0u;
  __global uchar* v4 = arg3 + (long)offset3;
  float v5 = *(__global float*)v4;
  __global uchar* v6 = arg0 + (long)offset0;
  ulong v7 = v0 & 4294967295ul;
  __global uchar* v8 = MSCI_STEP(__global, uint4, v6, (long)v7);
  float4 v9 = *(__global float4*)v8;
  if (v3) {
    p0 = (float4)(0x0p+0f);
    goto b4;
  }
  goto b1;
b1:;
  float4 v10;
  v10.s0 = v5;
  float4 v11 = (float4)(v10.s0, v10.s0, v10.s0, v10.s0);
  p1 = (float4)(0x0p+0f);
  p2 = 0u;
  p3 = (uint4)(0u);
  goto b2;
b2:;
  float4 v12 = p1;
  uint v13 = p2;
  uint4 v14 = p3;
  ulong v15 = (ulong)v13;
  __global uchar* v16 = MSCI_STEP(__global, uint4, v6, (long)v15);
  float4 v17 = *(__global float4*)v16;
  float4 v18 = v17 - v9;
  float4 v19 = v18 * v18 + (float4)(0x1p+0f);
  float4 v20 = rsqrt(v19);
  uint v21 = v13 + 1u;
  bool v22 = v21 < v2;
  float4 v23 = v18 * v20 + v12;
  float4 v24 = fabs(v18);
  int4 v25 = v24 < v11;
  uint4 v26 = convert_uint4(v25 & 1);
  uint4 v27 = v14 + v26;
  if (v22) {
    p1 = v23;
    p2 = v21;
    p3 = v27;
    goto b2;
  }
  goto b3;
b3:;
  float4 v28 = convert_float4(v27);
  float4 v29 = v23 + v28;
  p0 = v29;
  goto b4;
b4:;
  float4 v30 = p0;
  __global uchar* v31 = arg1 + (long)offset1;
  __global uchar* v32 = MSCI_STEP(__global, uint4, v31, (long)v7);
  *(__global float4*)v32 = v30;
  return;
}
