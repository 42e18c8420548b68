// One run of a plan on an OpenCL command queue.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "engine/device/opencl/opencl_handles.h"
#include "engine/device/queue.h"

namespace msci {

// Where kernels of an OpenCL context find its buffers.

// OpenCL 1.2 does not tell the host: a small kernel writes the address of its argument. The kernel
// is built once, when it is first asked.
class OpenclAddresses {
 public:
  // All must outlive it.
  OpenclAddresses(cl_device_id device, cl_context context, cl_command_queue queue)
      : device_(device), context_(context), queue_(queue) {}

  // Waits until the queue is done. The buffer keeps the address for its life: devices that give a
  // kernel a pointer to a buffer do not move it.
  Result<std::uint64_t> address(cl_mem buffer);

 private:
  [[nodiscard]] std::optional<Error> build();

  cl_device_id device_;
  cl_context context_;
  cl_command_queue queue_;
  OwnedOpencl<cl_program> program_;
  OwnedOpencl<cl_kernel> kernel_;
  OwnedOpencl<cl_mem> answer_;
};

class OpenclQueue : public Queue {
 public:
  // All must outlive it. `queue` takes the times of its commands.
  OpenclQueue(cl_device_id device, cl_context context, cl_command_queue queue, cl_program program,
              OpenclAddresses& addresses)
      : device_(device),
        context_(context),
        queue_(queue),
        program_(program),
        addresses_(addresses) {}

  Result<DeviceMemory> allocate(std::size_t bytes) override;
  std::optional<Error> write(DeviceMemory to, std::size_t offset,
                             std::span<const std::byte> contents) override;
  std::optional<Error> fill(DeviceMemory to, std::size_t offset, std::size_t bytes,
                            unsigned char value) override;
  std::optional<Error> read(DeviceMemory from, std::size_t offset,
                            std::span<std::byte> to) override;
  Result<std::uint64_t> address(DeviceMemory of) override { return addresses_.address(memory(of)); }
  Result<bool> test(DeviceMemory memory, std::size_t offset, std::size_t bytes,
                    const Test& passes) override;
  Result<PreparedLaunch> prepare(const std::string& symbol, const Extent& grid,
                                 const Extent& threadgroup,
                                 std::span<const Argument> arguments) override;
  std::optional<Failure> launch(PreparedLaunch launch, Timestamps record) override;
  std::optional<Failure> finish() override;
  double seconds() const override;
  std::size_t cache_bytes() const override;

 private:
  // Each launch has a kernel object of its own, so that its arguments are set once.
  struct Kernel {
    OwnedOpencl<cl_kernel> kernel;
    std::vector<GridPart> parts;
  };

  cl_mem memory(DeviceMemory of) const { return memories_[of.index].get(); }
  cl_int set_argument(cl_kernel kernel, cl_uint place, const Argument& argument) const;

  cl_device_id device_;
  cl_context context_;
  cl_command_queue queue_;
  cl_program program_;
  OpenclAddresses& addresses_;
  std::vector<OwnedOpencl<cl_mem>> memories_;
  std::vector<Kernel> kernels_;
  // Of the pass. A driver spends time on every launch with an event, so only the pass's ends have
  // one; a pass of one command has only `end_`.
  OwnedOpencl<cl_event> begin_;
  OwnedOpencl<cl_event> end_;
};

}  // namespace msci
