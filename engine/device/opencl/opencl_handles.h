// OpenCL's handles and status codes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"
#include "engine/device/opencl/opencl_functions.h"

namespace msci {

struct ReleaseOpencl {
  void operator()(cl_context context) const { clReleaseContext(context); }
  void operator()(cl_command_queue queue) const { clReleaseCommandQueue(queue); }
  void operator()(cl_program program) const { clReleaseProgram(program); }
  void operator()(cl_kernel kernel) const { clReleaseKernel(kernel); }
  void operator()(cl_mem memory) const { clReleaseMemObject(memory); }
  void operator()(cl_event event) const { clReleaseEvent(event); }
};

template <typename Handle>
using OwnedOpencl = std::unique_ptr<std::remove_pointer_t<Handle>, ReleaseOpencl>;

// "CL_OUT_OF_RESOURCES".
std::string status_name(cl_int status);

// Nothing on success, else the Error that names the status.
[[nodiscard]] std::optional<Error> failed(cl_int status);
// The same, behind the name of the call.
[[nodiscard]] std::optional<Error> failed(cl_int status, std::string_view call);

}  // namespace msci
