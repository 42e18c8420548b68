/* msci-program 1
{
 "source": "saxpy.metal",
 "sha256": "80780102ec8d06f8df7039e62e20d86e6c47f2a84695d76c1830f5023fd21715",
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
