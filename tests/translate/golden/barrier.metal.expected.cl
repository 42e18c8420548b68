/* msci-program 1
{
 "source": "barrier.metal",
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

__kernel void msci_reverse(__global uchar* arg0, ulong offset0, __local uchar* arg1, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  __local uchar shared0[256] __attribute__((aligned(16)));
  __global uchar* v0 = arg0 + (long)offset0;
  ulong v1 = get_global_id(0u);
  ulong v2 = get_local_id(0u);
  uint v3 = (uint)v2;
  ulong v4 = get_local_size(0u);
  uint v5 = (uint)v4;
  ulong v6 = v1 & 4294967295ul;
  __global uchar* v7 = v0 + (long)v6 * 4;
  uint v8 = *(__global uint*)v7;
  ulong v9 = v2 & 4294967295ul;
  __local uchar* v10 = shared0 + (long)v9 * 4;
  *(__local uint*)v10 = v8;
  __local uchar* v11 = arg1 + (long)v9 * 4;
  *(__local uint*)v11 = v3;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  uint v12 = v3 ^ 4294967295u;
  uint v13 = v12 + v5;
  ulong v14 = (ulong)v13;
  __local uchar* v15 = shared0 + (long)v14 * 4;
  uint v16 = *(__local uint*)v15;
  __local uchar* v17 = arg1 + (long)v14 * 4;
  uint v18 = *(__local uint*)v17;
  uint v19 = v18 + v16;
  *(__global uint*)v7 = v19;
  return;
}
