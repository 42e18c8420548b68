#include "engine/device/opencl/opencl_handles.h"

#include <fmt/format.h>

namespace msci {

std::string status_name(cl_int status) {
  switch (status) {
#define MSCI_STATUS(code) \
  case code:              \
    return #code
    MSCI_STATUS(CL_DEVICE_NOT_FOUND);
    MSCI_STATUS(CL_DEVICE_NOT_AVAILABLE);
    MSCI_STATUS(CL_COMPILER_NOT_AVAILABLE);
    MSCI_STATUS(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    MSCI_STATUS(CL_OUT_OF_RESOURCES);
    MSCI_STATUS(CL_OUT_OF_HOST_MEMORY);
    MSCI_STATUS(CL_PROFILING_INFO_NOT_AVAILABLE);
    MSCI_STATUS(CL_BUILD_PROGRAM_FAILURE);
    MSCI_STATUS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    MSCI_STATUS(CL_INVALID_VALUE);
    MSCI_STATUS(CL_INVALID_DEVICE);
    MSCI_STATUS(CL_INVALID_CONTEXT);
    MSCI_STATUS(CL_INVALID_COMMAND_QUEUE);
    MSCI_STATUS(CL_INVALID_MEM_OBJECT);
    MSCI_STATUS(CL_INVALID_PROGRAM_EXECUTABLE);
    MSCI_STATUS(CL_INVALID_KERNEL_NAME);
    MSCI_STATUS(CL_INVALID_KERNEL);
    MSCI_STATUS(CL_INVALID_ARG_INDEX);
    MSCI_STATUS(CL_INVALID_ARG_VALUE);
    MSCI_STATUS(CL_INVALID_ARG_SIZE);
    MSCI_STATUS(CL_INVALID_KERNEL_ARGS);
    MSCI_STATUS(CL_INVALID_WORK_DIMENSION);
    MSCI_STATUS(CL_INVALID_WORK_GROUP_SIZE);
    MSCI_STATUS(CL_INVALID_WORK_ITEM_SIZE);
    MSCI_STATUS(CL_INVALID_GLOBAL_OFFSET);
    MSCI_STATUS(CL_INVALID_OPERATION);
    MSCI_STATUS(CL_INVALID_BUFFER_SIZE);
    MSCI_STATUS(CL_INVALID_GLOBAL_WORK_SIZE);
#undef MSCI_STATUS
    default:
      return fmt::format("OpenCL error {}", status);
  }
}

std::optional<Error> failed(cl_int status) {
  if (status == CL_SUCCESS) return std::nullopt;
  return Error{status_name(status)};
}

std::optional<Error> failed(cl_int status, std::string_view call) {
  if (status == CL_SUCCESS) return std::nullopt;
  return Error{fmt::format("{}: {}", call, status_name(status))};
}

}  // namespace msci
