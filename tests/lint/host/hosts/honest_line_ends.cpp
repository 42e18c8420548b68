// needs: saxpy
// Honest: CRLF line ends, continued macros, names spelt with escapes and in pieces.
#include <CL/cl.h>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#define CHECK(call)                                            \
  do {                                                         \
    cl_int status_ = (call);                                   \
    if (status_ != CL_SUCCESS) {                               \
      std::fprintf(stderr, "line %d: %d\n", __LINE__, status_); \
      std::exit(1);                                            \
    }                                                          \
  } while (0)

#define KERNEL_PREFIX "sa"
#define KERNEL_NAME \
  KERNEL_PREFIX     \
  "x\x70"         \
  "\171"

static const char* source = R"CL(
kernel void saxpy(global const float* x, global float* y, float a, uint n) {
  uint i = get_global_id(0); /* not a "string" */
  if (i < n) y[i] = fma(a, x[i], y[i]);
}
)CL";

static cl_kernel build(cl_context context, cl_device_id device, const char* name) {
  cl_int status = 0;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
  CHECK(status);
  CHECK(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", nullptr, nullptr));
  cl_kernel kernel = clCreateKernel(program, name, &status);
  CHECK(status);
  return kernel;
}

int main() {
  cl_platform_id platform;
  cl_device_id device;
  cl_uint count = 0;
  CHECK(clGetPlatformIDs(1, &platform, &count));
  if (count == 0) return 1;
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, nullptr));
  cl_int status;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  const cl_uint n = 1u << 16;
  cl_float a = 3.0f;
  std::vector<float> x(n), y(n, 1.0f), result(n);
  for (cl_uint i = 0; i < n; ++i) x[i] = i * 0.001f;
  cl_mem buffers[2];
  buffers[0] = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, n * sizeof(float),
                              x.data(), &status);
  buffers[1] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, n * sizeof(float),
                              y.data(), &status);
  cl_kernel kernel = build(context, device, KERNEL_NAME);
  for (cl_uint i = 0; i < 2; ++i) CHECK(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]));
  CHECK(clSetKernelArg(kernel, 2, sizeof(a), &a));
  CHECK(clSetKernelArg(kernel, 3, sizeof(cl_uint), &n));
  size_t global = n;
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  CHECK(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, n * sizeof(float), result.data(), 0,
                            nullptr, nullptr));
  unsigned wrong = 0;
  for (cl_uint i = 0; i < n; ++i) {
    const float expected = a * x[i] + y[i];
    if (result[i] != expected) ++wrong;
  }
  std::ofstream("out.bin").write(reinterpret_cast<const char*>(result.data()), n * 4);
  std::printf("%u wrong\n", wrong);
  clReleaseKernel(kernel);
  return wrong != 0;
}
