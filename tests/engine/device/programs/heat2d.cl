/* msci-program 1
{
 "source": "heat2d.metal",
 "sha256": "c3ac917d9909e1dd1ada286d35e3d037fc7b147422c577fcd9410a610b82eb86",
 "kernels": [
  {
   "name": "heat_step",
   "symbol": "heat_step",
   "threadgroup_bytes": 0,
   "thread_limit": null,
   "uses_simdgroups": false,
   "arguments": [
    { "kind": "buffer", "index": 0, "constant": true, "name": "u_in", "type": "float" },
    { "kind": "buffer", "index": 1, "constant": false, "name": "u_out", "type": "float" },
    { "kind": "buffer", "index": 2, "constant": true, "name": "NX", "type": "uint" },
    { "kind": "buffer", "index": 3, "constant": true, "name": "NY", "type": "uint" },
    { "kind": "buffer", "index": 4, "constant": true, "name": "alpha", "type": "float" }
   ]
  }
 ]
}
*/
__kernel void heat_step(__global uchar *u_in, ulong in_at, __global uchar *u_out, ulong out_at, __global uchar *nx,
                        ulong nx_at, __global uchar *ny, ulong ny_at, __global uchar *alpha, ulong alpha_at,
                        uint gx, uint gy, uint gz, uint tx, uint ty, uint tz) {
  const __global float *from = (const __global float *)(u_in + in_at);
  __global float *to = (__global float *)(u_out + out_at);
  const uint width = *(const __global uint *)(nx + nx_at);
  const uint height = *(const __global uint *)(ny + ny_at);
  const float a = *(const __global float *)(alpha + alpha_at);
  const uint i = get_global_id(0);
  const uint j = get_global_id(1);
  if (i >= width || j >= height) return;
  const uint at = j * width + i;
  const float c = from[at];
  const bool edge = i == 0 || j == 0 || i == width - 1 || j == height - 1;
  to[at] = edge ? c : c + a * (from[at - 1] + from[at + 1] + from[at - width] + from[at + width] - 4.0f * c);
}
