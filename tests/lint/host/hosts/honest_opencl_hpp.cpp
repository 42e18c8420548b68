// needs: row_sum
// Honest: OpenCL's C++ interface, names in a struct.
#include <CL/opencl.hpp>
#include <iostream>
#include <numeric>
#include <vector>

struct Names {
  std::string sum;
};
static const Names names{"row_sum"};

int main() {
  cl::Context context(CL_DEVICE_TYPE_GPU);
  cl::CommandQueue queue(context);
  cl::Program program(context, load("rows.cl"), true);
  const cl_uint width = 128, rows = 64;
  std::vector<float> table(width * rows), sums(rows);
  std::iota(table.begin(), table.end(), 0.0f);
  cl::Buffer in(context, table.begin(), table.end(), true);
  cl::Buffer out(context, CL_MEM_WRITE_ONLY, rows * sizeof(float));
  cl::Kernel kernel(program, names.sum.c_str());
  kernel.setArg(0, in);
  kernel.setArg(1, out);
  kernel.setArg(2, width);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(rows), cl::NullRange);
  queue.enqueueReadBuffer(out, CL_TRUE, 0, rows * sizeof(float), sums.data());
  std::cout << std::accumulate(sums.begin(), sums.end(), 0.0f) << "\n";
}
