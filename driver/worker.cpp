// msci-worker: runs kernels on devices whose drivers take the text of a translation, without LLVM.
#include <array>

#include "engine/device/opencl/opencl_device.h"
#include "engine/device/worker_main.h"

int main(int argc, char** argv) {
  constexpr std::array backends{msci::DeviceBackend{
      msci::opencl_device_name, msci::find_opencl_devices, msci::open_opencl_device}};
  return msci::worker_main(argc, argv, backends);
}
