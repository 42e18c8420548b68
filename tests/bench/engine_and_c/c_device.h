// The kernels of tests/bench/c as a device, so that the plans, the checks and the verdicts of the
// tasks apply to them.
#pragma once

#include <memory>

#include "engine/device/device.h"

namespace msci {

// Runs the plans of a seed's translation by its kernels in C, on as many threads as `like`, the
// engine's device, has units: with vectors of 512 bits those for AVX-512, otherwise those for AVX2.
// With `intrinsics`, those made of intrinsics; a program without such kernels does not run.
std::unique_ptr<Device> open_c_device(DeviceInfo like, unsigned vector_bits, bool intrinsics);

// Whether all kernels of a seed exist as intrinsics.
bool has_intrinsics(const Translation& seed);

}  // namespace msci
