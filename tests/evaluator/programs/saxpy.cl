/* msci-program 1
{
 "source": "saxpy.metal",
 "kernels": [
  {
   "name": "saxpy",
   "symbol": "saxpy",
   "threadgroup_bytes": 0,
   "thread_limit": null,
   "uses_simdgroups": false,
   "arguments": [
    { "kind": "buffer", "index": 0, "constant": true, "name": "x", "type": "float" },
    { "kind": "buffer", "index": 1, "constant": false, "name": "y", "type": "float" },
    { "kind": "buffer", "index": 2, "constant": true, "name": "a", "type": "float" },
    { "kind": "buffer", "index": 3, "constant": true, "name": "N", "type": "uint" }
   ]
  }
 ]
}
*/
__kernel void saxpy(__global uchar *x, ulong x_at, __global uchar *y, ulong y_at, __global uchar *a, ulong a_at,
                    __global uchar *n, ulong n_at, uint gx, uint gy, uint gz, uint tx, uint ty, uint tz) {
  const uint i = get_global_id(0);
  if (i >= *(__global uint *)(n + n_at)) return;
  ((__global float *)(y + y_at))[i] +=
      *(__global float *)(a + a_at) * ((__global float *)(x + x_at))[i];
}
