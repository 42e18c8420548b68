// Facts: vector constructors. ../README.md explains the lines that begin a source.
// --- int3_and_float: refused | no matching function for call to 'float4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(int3(i), 1.0); }

// --- half3_and_half: refused | no matching function for call to 'float4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(half3(1), 1.0h); }

// --- uint2_and_zero: refused | no matching function for call to 'float4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(uint2(i), 0, 0); }

// --- scalar_and_half3: refused | no matching function for call to 'float4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(1.0f, half3(1)); }

// --- two_int2: refused | no matching function for call to 'float4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(int2(i), int2(i)); }

// --- float3_and_int: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(float3(i), 1); }

// --- two_float2: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(float2(i), float2(1)); }

// --- converted_part: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(float3(int3(i)), 1); }

// --- scalars: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(1, 2u, 3.0h, true); }

// --- one_vector: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = float4(int4(i)); }

// --- int3_of_others: refused | no matching function for call to 'int3'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device int3* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = int3(uint2(i), 0); }

// --- half3_of_others: refused | no matching function for call to 'half3'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device half3* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = half3(float2(i), 1.0h); }

// --- uint4_of_others: refused | no matching function for call to 'uint4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device uint4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = uint4(int2(i), 1u, 2u); }

// --- half4_of_others: refused | no matching function for call to 'half4'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device half4* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = half4(float3(1), 1.0h); }

// --- short2_of_a_scalar: accepted
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device short2* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = short2(int(i)); }

// --- comparisons_are_booleans: accepted
// evidence: Metal Shading Language specification: relational operators
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i].x = all(bool4(x[i].xyz < x[0].xyz, true)); }

// --- packed_parts: accepted
// evidence: Metal Shading Language specification: packed vectors
kernel void k(device float4* x [[buffer(0)]], device packed_float3* y [[buffer(1)]], uint i [[thread_position_in_grid]]) { x[i] = float4(y[i], 1); }

// --- too_few: refused | no matching function for call to 'float4'
// evidence: Metal Shading Language specification: vector constructors
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = float4(x[i].xy, 1); }
