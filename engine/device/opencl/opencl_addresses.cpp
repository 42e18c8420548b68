#include "engine/device/opencl/opencl_queue.h"

namespace msci {
namespace {

constexpr const char* source =
    "__kernel void msci_address(__global uchar* buffer, __global ulong* answer) {\n"
    "  *answer = (ulong)buffer;\n"
    "}\n";

}  // namespace

std::optional<Error> OpenclAddresses::build() {
  cl_int status = CL_SUCCESS;
  const char* text = source;
  program_.reset(clCreateProgramWithSource(context_, 1, &text, nullptr, &status));
  if (auto error = failed(status, "clCreateProgramWithSource")) return error;
  status = clBuildProgram(program_.get(), 1, &device_, "-cl-std=CL1.2", nullptr, nullptr);
  if (auto error = failed(status, "clBuildProgram")) return error;
  answer_.reset(clCreateBuffer(context_, CL_MEM_READ_WRITE, sizeof(cl_ulong), nullptr, &status));
  if (auto error = failed(status, "clCreateBuffer")) return error;
  kernel_.reset(clCreateKernel(program_.get(), "msci_address", &status));
  return failed(status, "clCreateKernel");
}

Result<std::uint64_t> OpenclAddresses::address(cl_mem buffer) {
  if (!kernel_)
    if (auto error = build()) return *error;
  const auto answer = answer_.get();
  for (cl_uint place = 0; place < 2; ++place) {
    const auto& memory = place == 0 ? buffer : answer;
    const auto status = clSetKernelArg(kernel_.get(), place, sizeof memory, &memory);
    if (auto error = failed(status, "clSetKernelArg")) return *error;
  }
  const std::size_t one = 1;
  auto status =
      clEnqueueNDRangeKernel(queue_, kernel_.get(), 1, nullptr, &one, &one, 0, nullptr, nullptr);
  if (auto error = failed(status, "clEnqueueNDRangeKernel")) return *error;
  cl_ulong address = 0;
  status = clEnqueueReadBuffer(queue_, answer, CL_TRUE, 0, sizeof address, &address, 0, nullptr,
                               nullptr);
  if (auto error = failed(status, "clEnqueueReadBuffer")) return *error;
  return std::uint64_t{address};
}

}  // namespace msci
