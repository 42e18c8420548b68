/* msci-program 1
{
 "source": "nbody.metal",
 "sha256": "f22ed8e4e9d1ec1543154320723efeb1b89fcb697615e1b6391cae4deed407d4",
 "kernels": [
  {
   "name": "nbody_step",
   "symbol": "nbody_step",
   "threadgroup_bytes": 0,
   "thread_limit": null,
   "uses_simdgroups": false,
   "arguments": [
    { "kind": "buffer", "index": 0, "constant": true, "name": "pos_in", "type": "float4" },
    { "kind": "buffer", "index": 1, "constant": false, "name": "pos_out", "type": "float4" },
    { "kind": "buffer", "index": 2, "constant": true, "name": "vel_in", "type": "float4" },
    { "kind": "buffer", "index": 3, "constant": false, "name": "vel_out", "type": "float4" },
    { "kind": "buffer", "index": 4, "constant": true, "name": "mass", "type": "float" },
    { "kind": "buffer", "index": 5, "constant": true, "name": "N", "type": "uint" },
    { "kind": "buffer", "index": 6, "constant": true, "name": "dt", "type": "float" },
    { "kind": "buffer", "index": 7, "constant": true, "name": "eps", "type": "float" },
    { "kind": "buffer", "index": 8, "constant": true, "name": "G", "type": "float" }
   ]
  }
 ]
}
*/
__kernel void nbody_step(__global uchar *pos_in, ulong pos_in_at, __global uchar *pos_out, ulong pos_out_at,
                         __global uchar *vel_in, ulong vel_in_at, __global uchar *vel_out, ulong vel_out_at,
                         __global uchar *mass, ulong mass_at, __global uchar *N, ulong N_at, __global uchar *dt,
                         ulong dt_at, __global uchar *eps, ulong eps_at, __global uchar *G, ulong G_at, uint gx,
                         uint gy, uint gz, uint tx, uint ty, uint tz) {
  const __global float4 *position = (const __global float4 *)(pos_in + pos_in_at);
  const __global float4 *velocity = (const __global float4 *)(vel_in + vel_in_at);
  const __global float *masses = (const __global float *)(mass + mass_at);
  const uint n = (*(const __global uint *)(N + N_at));
  const uint i = get_global_id(0);
  if (i >= n) return;
  const float softening = (*(const __global float *)(eps + eps_at)) * (*(const __global float *)(eps + eps_at));
  const float3 here = position[i].xyz;
  float3 pull = 0.0f;
  for (uint j = 0; j < n; ++j) {
    const float3 d = position[j].xyz - here;
    const float r2 = dot(d, d) + softening;
    pull += masses[j] * d * rsqrt(r2 * r2 * r2);
  }
  const float3 v = velocity[i].xyz + (*(const __global float *)(G + G_at)) * pull * (*(const __global float *)(dt + dt_at));
  ((__global float4 *)(vel_out + vel_out_at))[i] = (float4)(v, 0.0f);
  ((__global float4 *)(pos_out + pos_out_at))[i] = (float4)(here + v * (*(const __global float *)(dt + dt_at)), 0.0f);
}
