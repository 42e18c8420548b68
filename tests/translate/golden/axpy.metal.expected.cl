/* msci-program 1
{
 "source": "axpy.metal",
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

__kernel void msci_axpy(__global uchar* arg0, ulong offset0, __global uchar* arg1, ulong offset1, __global uchar* arg2, ulong offset2, __global uchar* arg3, ulong offset3, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  __global uchar* v0 = arg3 + (long)offset3;
  ulong v1 = get_global_id(0u);
  uint v2 = (uint)v1;
  uint v3 = *(__global uint*)v0;
  bool v4 = v3 > v2;
  if (v4) {
    goto b1;
  }
  goto b2;
b1:;
  __global uchar* v5 = arg2 + (long)offset2;
  __global uchar* v6 = arg1 + (long)offset1;
  __global uchar* v7 = arg0 + (long)offset0;
  float v8 = *(__global float*)v5;
  ulong v9 = v1 & 4294967295ul;
  __global uchar* v10 = v7 + (long)v9 * 4;
  float v11 = *(__global float*)v10;
  __global uchar* v12 = v6 + (long)v9 * 4;
  float v13 = *(__global float*)v12;
  float v14 = v11 * v8 + v13;
  *(__global float*)v12 = v14;
  goto b2;
b2:;
  return;
}
