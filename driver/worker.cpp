// msci-worker: runs kernels on OpenCL devices, without LLVM.
#include <array>

#include "runtime/device/opencl/opencl_device.h"
#include "runtime/device/worker_main.h"

int main(int argc, char** argv) {
  constexpr std::array kinds{msci::DeviceKind{msci::find_opencl_devices, msci::open_opencl_device}};
  return msci::worker_main(argc, argv, kinds);
}
