// OpenCL's functions. libOpenCL.so.1 is loaded at the first call, so that msci-worker starts on
// machines without it.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <type_traits>

namespace msci {

bool has_opencl_loader();

// The address of a function in libOpenCL.so.1. Null without that library.
void* opencl_function_address(const char* name);

// A call of `declared`. Without the library, functions that return a status report that no platform
// was found.
template <auto declared>
class OpenclFunction;

template <typename Result, typename... Arguments, Result (*declared)(Arguments...)>
class OpenclFunction<declared> {
 public:
  explicit consteval OpenclFunction(const char* name) : name_(name) {}

  Result operator()(Arguments... arguments) const {
    static const auto loaded =
        reinterpret_cast<Result (*)(Arguments...)>(opencl_function_address(name_));
    if (loaded) return loaded(arguments...);
    if constexpr (std::is_pointer_v<Result>)
      return nullptr;
    else
      return not_found;
  }

 private:
  static constexpr cl_int not_found = -1001;  // CL_PLATFORM_NOT_FOUND_KHR of cl_khr_icd

  const char* name_;
};

// They hide the functions of CL/cl.h from code in this namespace.
#define MSCI_OPENCL_FUNCTION(function) \
  inline constexpr OpenclFunction<&::function> function { #function }

MSCI_OPENCL_FUNCTION(clBuildProgram);
MSCI_OPENCL_FUNCTION(clCreateBuffer);
MSCI_OPENCL_FUNCTION(clCreateCommandQueue);
MSCI_OPENCL_FUNCTION(clCreateContext);
MSCI_OPENCL_FUNCTION(clCreateKernel);
MSCI_OPENCL_FUNCTION(clCreateProgramWithSource);
MSCI_OPENCL_FUNCTION(clEnqueueFillBuffer);
MSCI_OPENCL_FUNCTION(clEnqueueMapBuffer);
MSCI_OPENCL_FUNCTION(clEnqueueNDRangeKernel);
MSCI_OPENCL_FUNCTION(clEnqueueReadBuffer);
MSCI_OPENCL_FUNCTION(clEnqueueUnmapMemObject);
MSCI_OPENCL_FUNCTION(clEnqueueWriteBuffer);
MSCI_OPENCL_FUNCTION(clFinish);
MSCI_OPENCL_FUNCTION(clGetDeviceIDs);
MSCI_OPENCL_FUNCTION(clGetDeviceInfo);
MSCI_OPENCL_FUNCTION(clGetEventProfilingInfo);
MSCI_OPENCL_FUNCTION(clGetPlatformIDs);
MSCI_OPENCL_FUNCTION(clGetPlatformInfo);
MSCI_OPENCL_FUNCTION(clGetProgramBuildInfo);
MSCI_OPENCL_FUNCTION(clReleaseCommandQueue);
MSCI_OPENCL_FUNCTION(clReleaseContext);
MSCI_OPENCL_FUNCTION(clReleaseEvent);
MSCI_OPENCL_FUNCTION(clReleaseKernel);
MSCI_OPENCL_FUNCTION(clReleaseMemObject);
MSCI_OPENCL_FUNCTION(clReleaseProgram);
MSCI_OPENCL_FUNCTION(clSetKernelArg);

#undef MSCI_OPENCL_FUNCTION

}  // namespace msci
