// The header of the hand-written kernels as CUDA: the names of OpenCL C that they use. Kernels take
// three more arguments, the first thread of a launch, because CUDA's grids begin at 0.

typedef unsigned char uchar;
typedef unsigned int uint;
typedef unsigned long ulong;  // as the system's headers have it

#define __kernel extern "C" __global__
#define __global
#define __local
#define FUNCTION static __device__ __forceinline__
#define SHARED __shared__
#define TABLE static constexpr __device__

#define BUFFER(name) uchar* __restrict__ name##_base, ulong name##_offset
#define HOST                                                                             \
  uint grid_x, uint grid_y, uint grid_z, uint threads_x, uint threads_y, uint threads_z, \
      uint first_x, uint first_y, uint first_z
#define ARRAY(type, name) type* __restrict__ const name = (type*)(name##_base + name##_offset)
#define VALUE(type, name) const type name = *(const type*)(name##_base + name##_offset)

#define get_global_id(axis) GLOBAL_ID_##axis
#define GLOBAL_ID_0 (first_x + blockIdx.x * blockDim.x + threadIdx.x)
#define GLOBAL_ID_1 (first_y + blockIdx.y * blockDim.y + threadIdx.y)
#define GLOBAL_ID_2 (first_z + blockIdx.z * blockDim.z + threadIdx.z)
#define get_local_id(axis) LOCAL_ID_##axis
#define LOCAL_ID_0 threadIdx.x
#define get_local_size(axis) LOCAL_SIZE_##axis
#define LOCAL_SIZE_0 blockDim.x

#define CLK_LOCAL_MEM_FENCE 0
#define barrier(memory) __syncthreads()
#define atomic_inc(counter) atomicAdd(counter, 1u)
#define clz(word) uint(__clz(int(word)))
#define rsqrt(number) rsqrtf(number)
#define M_PI_F 3.14159265358979f

// The part of OpenCL's vectors that the kernels use.

FUNCTION float3 xyz(float4 v) { return make_float3(v.x, v.y, v.z); }
FUNCTION float3 make_float3(float a) { return make_float3(a, a, a); }
FUNCTION float4 make_float4(float3 v, float w) { return make_float4(v.x, v.y, v.z, w); }
FUNCTION uint3 make_uint3(uint a) { return make_uint3(a, a, a); }

FUNCTION float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
FUNCTION float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

FUNCTION float3 operator+(float3 a, float3 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
FUNCTION float3 operator-(float3 a, float3 b) {
  return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
FUNCTION float3 operator*(float a, float3 b) { return make_float3(a * b.x, a * b.y, a * b.z); }
FUNCTION float3 operator*(float3 a, float b) { return b * a; }
FUNCTION float3 operator/(float3 a, float b) { return make_float3(a.x / b, a.y / b, a.z / b); }
FUNCTION float3& operator+=(float3& a, float3 b) { return a = a + b; }
FUNCTION float3& operator-=(float3& a, float3 b) { return a = a - b; }
FUNCTION float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
FUNCTION float3 floor(float3 a) { return make_float3(floorf(a.x), floorf(a.y), floorf(a.z)); }
FUNCTION float3 round(float3 a) { return make_float3(roundf(a.x), roundf(a.y), roundf(a.z)); }

FUNCTION uint3 convert_uint3(float3 a) { return make_uint3(uint(a.x), uint(a.y), uint(a.z)); }
FUNCTION uint3 min(uint3 a, uint3 b) {
  return make_uint3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z));
}
