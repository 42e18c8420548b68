#include "engine/device/opencl/opencl_queue.h"

#include <fmt/format.h>

#include <array>

namespace msci {
namespace {

std::optional<Failure> run_time_failure(cl_int status) {
  if (status == CL_SUCCESS) return std::nullopt;
  return Failure{Failure::Cause::run_time, status_name(status)};
}

// An NDRange whose size its work-groups divide, as OpenCL 1.2 demands.
struct NdRange {
  explicit NdRange(const GridPart& part)
      : offset{part.first.x, part.first.y, part.first.z},
        global{std::size_t{part.groups.x} * part.threadgroup.x,
               std::size_t{part.groups.y} * part.threadgroup.y,
               std::size_t{part.groups.z} * part.threadgroup.z},
        local{part.threadgroup.x, part.threadgroup.y, part.threadgroup.z} {}

  std::array<std::size_t, 3> offset;
  std::array<std::size_t, 3> global;
  std::array<std::size_t, 3> local;
};

}  // namespace

Result<DeviceMemory> OpenclQueue::allocate(std::size_t bytes) {
  cl_int status = CL_SUCCESS;
  OwnedOpencl<cl_mem> memory(clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &status));
  if (auto error = failed(status)) return *error;
  memories_.push_back(std::move(memory));
  return DeviceMemory{memories_.size() - 1};
}

std::optional<Error> OpenclQueue::write(DeviceMemory to, std::size_t offset,
                                        std::span<const std::byte> contents) {
  return failed(clEnqueueWriteBuffer(queue_, memory(to), CL_FALSE, offset, contents.size(),
                                     contents.data(), 0, nullptr, nullptr));
}

std::optional<Error> OpenclQueue::fill(DeviceMemory to, std::size_t offset, std::size_t bytes,
                                       unsigned char value) {
  return failed(
      clEnqueueFillBuffer(queue_, memory(to), &value, 1, offset, bytes, 0, nullptr, nullptr));
}

std::optional<Error> OpenclQueue::read(DeviceMemory from, std::size_t offset,
                                       std::span<std::byte> to) {
  return failed(clEnqueueReadBuffer(queue_, memory(from), CL_TRUE, offset, to.size(), to.data(), 0,
                                    nullptr, nullptr));
}

Result<bool> OpenclQueue::test(DeviceMemory of, std::size_t offset, std::size_t bytes,
                               const Test& passes) {
  cl_int status = CL_SUCCESS;
  void* mapped = clEnqueueMapBuffer(queue_, memory(of), CL_TRUE, CL_MAP_READ, offset, bytes, 0,
                                    nullptr, nullptr, &status);
  if (auto error = failed(status, "clEnqueueMapBuffer")) return *error;
  const bool passed = passes(std::span(static_cast<const std::byte*>(mapped), bytes));
  status = clEnqueueUnmapMemObject(queue_, memory(of), mapped, 0, nullptr, nullptr);
  if (auto error = failed(status, "clEnqueueUnmapMemObject")) return *error;
  return passed;
}

Result<PreparedLaunch> OpenclQueue::prepare(const std::string& symbol, const Extent& grid,
                                            const Extent& threadgroup,
                                            std::span<const Argument> arguments) {
  cl_int status = CL_SUCCESS;
  OwnedOpencl<cl_kernel> kernel(clCreateKernel(program_, symbol.c_str(), &status));
  if (auto error = failed(status, "clCreateKernel")) return *error;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    status = set_argument(kernel.get(), static_cast<cl_uint>(i), arguments[i]);
    if (auto error = failed(status, fmt::format("clSetKernelArg({}, {})", symbol, i)))
      return *error;
  }
  kernels_.push_back({std::move(kernel), split_grid(grid, threadgroup)});
  return PreparedLaunch{kernels_.size() - 1};
}

cl_int OpenclQueue::set_argument(cl_kernel kernel, cl_uint place, const Argument& argument) const {
  if (const auto* of = std::get_if<DeviceMemory>(&argument)) {
    const auto handle = memory(*of);
    return clSetKernelArg(kernel, place, sizeof handle, &handle);
  }
  if (const auto* bytes = std::get_if<ThreadgroupBytes>(&argument))
    return clSetKernelArg(kernel, place, bytes->count, nullptr);
  if (const auto* number = std::get_if<std::uint64_t>(&argument))
    return clSetKernelArg(kernel, place, sizeof *number, number);
  return clSetKernelArg(kernel, place, sizeof(std::uint32_t),
                        std::get_if<std::uint32_t>(&argument));
}

std::optional<Failure> OpenclQueue::launch(PreparedLaunch launch, Timestamps record) {
  const auto& [kernel, parts] = kernels_[launch.index];
  if (record.start) begin_.reset();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_start = record.start && i == 0;
    const bool is_end = record.end && i + 1 == parts.size();
    const NdRange range(parts[i]);
    cl_event event = nullptr;
    const auto status = clEnqueueNDRangeKernel(queue_, kernel.get(), 3, range.offset.data(),
                                               range.global.data(), range.local.data(), 0, nullptr,
                                               is_start || is_end ? &event : nullptr);
    if (status != CL_SUCCESS) return run_time_failure(status);
    if (event) (is_end ? end_ : begin_).reset(event);
  }
  return std::nullopt;
}

std::optional<Failure> OpenclQueue::finish() { return run_time_failure(clFinish(queue_)); }

double OpenclQueue::seconds() const {
  cl_ulong start = 0;
  cl_ulong stop = 0;
  clGetEventProfilingInfo((begin_ ? begin_ : end_).get(), CL_PROFILING_COMMAND_START, sizeof start,
                          &start, nullptr);
  clGetEventProfilingInfo(end_.get(), CL_PROFILING_COMMAND_END, sizeof stop, &stop, nullptr);
  return static_cast<double>(stop - start) * 1e-9;
}

std::size_t OpenclQueue::cache_bytes() const {
  cl_ulong bytes = 0;
  clGetDeviceInfo(device_, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof bytes, &bytes, nullptr);
  return bytes;
}

}  // namespace msci
