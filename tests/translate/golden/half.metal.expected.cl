/* msci-program 1
{
 "source": "half.metal",
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

float msci_round_half(float x) {
  ushort bits;
  vstore_half_rte(x, 0, (half*)&bits);
  return vload_half(0, (half*)&bits);
}
__constant uint table0[2] __attribute__((aligned(16))) = {0x38003400u,0x3400u};

__kernel void msci_smooth(__global uchar* arg0, ulong offset0, __global uchar* arg1, ulong offset1, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  __global uchar* v0 = arg0 + (long)offset0;
  ulong v1 = get_global_id(0u);
  uint v2 = (uint)v1;
  ulong v3 = v1 & 1ul;
  __constant uchar* v4 = ((__constant uchar*)table0) + (long)v3 * 2;
  float v5 = vload_half(0, (__constant half*)v4);
  ulong v6 = v1 & 4294967295ul;
  __global uchar* v7 = v0 + (long)v6 * 2;
  float v8 = vload_half(0, (__global half*)v7);
  float v9 = msci_round_half(v8 * v5);
  __constant uchar* v10 = v4 + (2);
  float v11 = vload_half(0, (__constant half*)v10);
  uint v12 = v2 + 1u;
  ulong v13 = (ulong)v12;
  __global uchar* v14 = v0 + (long)v13 * 2;
  float v15 = vload_half(0, (__global half*)v14);
  float v16 = msci_round_half(v15 * v11);
  float v17 = msci_round_half(v16 + v9);
  __constant uchar* v18 = v4 + (4);
  float v19 = vload_half(0, (__constant half*)v18);
  uint v20 = v2 + 2u;
  ulong v21 = (ulong)v20;
  __global uchar* v22 = v0 + (long)v21 * 2;
  float v23 = vload_half(0, (__global half*)v22);
  float v24 = msci_round_half(v23 * v19);
  float v25 = msci_round_half(v24 + v17);
  __global uchar* v26 = arg1 + (long)offset1;
  float4 v27;
  v27.s0 = v25;
  float4 v28 = v27;
  v28.s1 = v25;
  float4 v29 = v28;
  v29.s2 = v25;
  float4 v30 = v29;
  v30.s3 = v25;
  __global uchar* v31 = v26 + (long)v6 * 8;
  vstore_half4_rte(v30, 0, (__global half*)v31);
  return;
}
