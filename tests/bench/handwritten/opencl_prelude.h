// The header of the hand-written kernels as OpenCL C: the calling convention of
// tasks/plan/program.h, and the names that they share with CUDA.

#define BUFFER(name) __global uchar* restrict name##_base, ulong name##_offset
#define HOST uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z

// What a buffer holds, under the buffer's own name.
#define ARRAY(type, name) __global type* const name = (__global type*)(name##_base + name##_offset)
#define VALUE(type, name) const type name = *(__global const type*)(name##_base + name##_offset)

#define FUNCTION static inline
#define SHARED __local
#define TABLE __constant

#define xyz(vector) ((vector).xyz)
#define make_float2 (float2)
#define make_float3 (float3)
#define make_float4 (float4)
#define make_uint3 (uint3)
