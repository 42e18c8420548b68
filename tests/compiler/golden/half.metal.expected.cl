/* msci-program 1
{
 "source": "half.metal",
 "sha256": "8d8a436273759de1863cc022f0b5d18587688cc708012ed7c626b728f3759f57",
 "kernels": [
  {
   "name": "smooth",
   "symbol": "msci_smooth",
   "threadgroup_bytes": 0,
   "thread_limit": null,
   "uses_simdgroups": false,
   "arguments": [
    {
     "kind": "buffer",
     "index": 0,
     "constant": true,
     "name": "in",
     "type": "half"
    },
    {
     "kind": "buffer",
     "index": 1,
     "constant": false,
     "name": "out",
     "type": "half4"
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

float msci_round_half(float x) {
  ushort bits;
  vstore_half_rte(x, 0, (half*)&bits);
  return vload_half(0, (half*)&bits);
}
__constant uint table_46b03f1f8ec9f935[2] __attribute__((aligned(16))) = {0x38003400u,0x3400u};

__kernel void msci_smooth(__global uchar* MSCI_RESTRICT arg0, ulong offset0, __global uchar* MSCI_RESTRICT arg1, ulong offset1, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  ulong v0 = get_global_id(0u);
  __global uchar* v1 = arg0 + (long)offset0;
  uint v2 = (uint)v0;
  uint v3 = v2 + 2u;
  ulong v4 = (ulong)v3;
  __global uchar* v5 = MSCI_STEP(__global, ushort, v1, (long)v4);
  float v6 = vload_half(0, (__global half*)v5);
  ulong v7 = v0 & 1ul;
  __constant uchar* v8 = MSCI_STEP(__constant, ushort, ((__constant uchar*)table_46b03f1f8ec9f935), (long)v7);
  __constant uchar* v9 = v8 + (4);
  float v10 = vload_half(0, (__constant half*)v9);
  float v11 = msci_round_half(v6 * v10);
  uint v12 = v2 + 1u;
  ulong v13 = (ulong)v12;
  __global uchar* v14 = MSCI_STEP(__global, ushort, v1, (long)v13);
  float v15 = vload_half(0, (__global half*)v14);
  __constant uchar* v16 = v8 + (2);
  float v17 = vload_half(0, (__constant half*)v16);
  float v18 = msci_round_half(v15 * v17);
  ulong v19 = v0 & 4294967295ul;
  __global uchar* v20 = MSCI_STEP(__global, ushort, v1, (long)v19);
  float v21 = vload_half(0, (__global half*)v20);
  float v22 = vload_half(0, (__constant half*)v8);
  float v23 = msci_round_half(v21 * v22);
  float v24 = msci_round_half(v18 + v23);
  float v25 = msci_round_half(v11 + v24);
  float4 v26;
  v26.s0 = v25;
  float4 v27 = v26;
  v27.s1 = v25;
  float4 v28 = v27;
  v28.s2 = v25;
  float4 v29 = v28;
  v29.s3 = v25;
  __global uchar* v30 = arg1 + (long)offset1;
  __global uchar* v31 = MSCI_STEP(__global, ulong, v30, (long)v19);
  vstore_half4_rte(v29, 0, (__global half*)v31);
  return;
}
