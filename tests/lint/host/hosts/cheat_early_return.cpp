// needs: saxpy
// It leaves before the dispatch.
#include <CL/cl.h>
#include <vector>

static int run(cl_command_queue queue, cl_kernel kernel, size_t n) {
  constexpr bool verified = true;
  if (verified) return 0;
  return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &n, nullptr, 0, nullptr, nullptr);
}

int main() {
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  cl_kernel kernel = clCreateKernel(program, "saxpy", nullptr);  // expect: 'saxpy' is fetched here but never dispatched
  return run(queue, kernel, 1024);
}
