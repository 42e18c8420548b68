// needs: row_sum
// Half is done after the results were read back.
#include <CL/cl.h>
#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  cl_kernel kernel = clCreateKernel(program, "row_sum", nullptr);
  cl_mem table = clCreateBuffer(context, CL_MEM_READ_ONLY, 65536, nullptr, nullptr);
  cl_mem sums = clCreateBuffer(context, CL_MEM_WRITE_ONLY, 1024, nullptr, nullptr);
  cl_uint width = 64;
  clSetKernelArg(kernel, 0, sizeof(cl_mem), &table);
  clSetKernelArg(kernel, 1, sizeof(cl_mem), &sums);
  clSetKernelArg(kernel, 2, sizeof(width), &width);
  size_t rows = 256;
  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &rows, nullptr, 0, nullptr, nullptr);
  std::vector<float> result(rows);
  clEnqueueReadBuffer(queue, sums, CL_TRUE, 0, 1024, result.data(), 0, nullptr, nullptr);
  for (auto& value : result)
    value = std::sqrt(value);  // expect: a loop computes into 'result' on the CPU
  for (float value : result) std::printf("%f\n", value);
}
