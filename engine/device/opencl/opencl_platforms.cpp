#include "engine/device/opencl/opencl_device.h"

namespace msci {
namespace {

template <typename T>
T number(cl_device_id device, cl_device_info what) {
  T value = {};
  clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
  return value;
}

std::string text(cl_device_id device, cl_device_info what) {
  char value[1024] = "";
  clGetDeviceInfo(device, what, sizeof value - 1, value, nullptr);
  return value;
}

std::string platform_name(cl_platform_id platform) {
  char name[1024] = "";
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr);
  return name;
}

DeviceInfo::Kind kind_of(cl_device_id device) {
  const auto type = number<cl_device_type>(device, CL_DEVICE_TYPE);
  if (type & CL_DEVICE_TYPE_CPU) return DeviceInfo::Kind::cpu;
  if (type & CL_DEVICE_TYPE_GPU) return DeviceInfo::Kind::gpu;
  return DeviceInfo::Kind::other;
}

DeviceInfo describe(cl_device_id device, cl_platform_id platform) {
  return {.name = text(device, CL_DEVICE_NAME),
          .vendor = text(device, CL_DEVICE_VENDOR),
          .platform = platform_name(platform),
          .driver = text(device, CL_DRIVER_VERSION),
          .kind = kind_of(device),
          .compute_units = number<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS),
          .max_threads_per_threadgroup = number<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE),
          .threadgroup_memory = number<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE),
          .global_memory = number<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE),
          .max_buffer = number<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE)};
}

// Empty without one: the ICD loader reports that as an error of its own.
std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_platform_id> found(count);
  if (clGetPlatformIDs(count, found.data(), nullptr) != CL_SUCCESS) return {};
  return found;
}

std::vector<cl_device_id> devices_of(cl_platform_id platform) {
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_device_id> found(count);
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, found.data(), nullptr) != CL_SUCCESS)
    return {};
  return found;
}

}  // namespace

Result<std::vector<FoundOpenclDevice>> list_opencl_devices() {
  if (!has_opencl_loader())
    return Error{
        "libOpenCL.so.1 is not installed; for the processor: apt-get install ocl-icd-libopencl1 "
        "pocl-opencl-icd, for a GPU: ocl-icd-libopencl1 and its vendor's driver"};
  const auto all = platforms();
  if (all.empty())
    return Error{
        "no OpenCL platform is installed; for the processor: apt-get install pocl-opencl-icd, for "
        "a GPU: its vendor's driver"};
  std::vector<FoundOpenclDevice> found;
  for (std::size_t p = 0; p < all.size(); ++p) {
    const auto ids = devices_of(all[p]);
    for (std::size_t d = 0; d < ids.size(); ++d) {
      found.push_back({ids[d], describe(ids[d], all[p])});
      found.back().info.platform_index = p;
      found.back().info.device_index = d;
    }
  }
  if (found.empty())
    return Error{
        "no OpenCL platform has a device; for the processor: apt-get install pocl-opencl-icd"};
  return found;
}

}  // namespace msci
