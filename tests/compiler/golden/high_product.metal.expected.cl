/* msci-program 1
{
 "source": "high_product.metal",
 "sha256": "9ef4ab7398038e880cc251cc1894bf926e259931cc578a4660d69b545474f94c",
 "kernels": [
  {
   "name": "high_product",
   "symbol": "msci_high_product",
   "threadgroup_bytes": 0,
   "thread_limit": null,
   "uses_simdgroups": false,
   "arguments": [
    {
     "kind": "buffer",
     "index": 0,
     "constant": true,
     "name": "a",
     "type": "ulong"
    },
    {
     "kind": "buffer",
     "index": 1,
     "constant": true,
     "name": "b",
     "type": "ulong"
    },
    {
     "kind": "buffer",
     "index": 2,
     "constant": false,
     "name": "out",
     "type": "ulong"
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

__kernel void msci_high_product(__global uchar* MSCI_RESTRICT arg0, ulong offset0, __global uchar* MSCI_RESTRICT arg1, ulong offset1, __global uchar* MSCI_RESTRICT arg2, ulong offset2, uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z) {
  ulong v0 = get_global_id(0u);
  __global uchar* v1 = arg1 + (long)offset1;
  ulong v2 = v0 & 4294967295ul;
  __global uchar* v3 = MSCI_STEP(__global, ulong, v1, (long)v2);
  ulong v4 = *(__global ulong*)v3;
  __global uchar* v5 = arg0 + (long)offset0;
  __global uchar* v6 = MSCI_STEP(__global, ulong, v5, (long)v2);
  ulong v7 = *(__global ulong*)v6;
  ulong v8 = mul_hi(v4, v7);
  __global uchar* v9 = arg2 + (long)offset2;
  __global uchar* v10 = MSCI_STEP(__global, ulong, v9, (long)v2);
  *(__global ulong*)v10 = v8;
  return;
}
