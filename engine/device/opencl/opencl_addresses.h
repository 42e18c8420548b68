// Where kernels of an OpenCL context find its buffers.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "engine/device/opencl/opencl_handles.h"

namespace msci {

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

}  // namespace msci
