// The process that runs translated kernels for msci-eval.
#pragma once

#include <span>

#include "engine/device/local_devices.h"

namespace msci {

// Builds and runs one program at a time for the process that started this one, on devices of these
// back ends. Inherits a socket for messages, and takes a folder for the driver's files as argument.
// Returns the exit status.
int worker_main(int argc, char** argv, std::span<const DeviceBackend> backends);

}  // namespace msci
