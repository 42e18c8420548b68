// Kernels that do nothing but move bytes or compute, and how fast a device runs them.
#pragma once

#include <cstddef>
#include <memory>

#include "engine/device/device.h"

namespace msci {

// A load lets the best passes of the two halves of a measurement differ; more than by this much,
// and the measurement is not steady.
constexpr double most_unsteady = 1.1;

struct ProbedRate {
  double rate = 0;         // the best pass: 1e9 bytes or operations a second
  bool is_steady = false;  // its two halves agree
};

class CeilingProbe {
 public:
  static Result<CeilingProbe> build(Device& device);

  // The faster of a copy and an update in place, over two arrays that have so many bytes together:
  // a copy has to read what it overwrites on processors, and an update moves three bytes for two.
  Result<ProbedRate> gbps(std::size_t working_set);
  // Chains of fused multiply-adds.
  Result<ProbedRate> gflops();

 private:
  CeilingProbe(const DeviceInfo& info, std::unique_ptr<Program> program)
      : info_(info), program_(std::move(program)) {}
  DeviceInfo info_;
  std::unique_ptr<Program> program_;
};

// The largest working set that is measured: beyond every cache.
std::size_t most_probed(const DeviceInfo& device);

// The working set, rounded down to a power of two or one and a half of it, that is measured for one
// of so many bytes. Below 64 KiB, the time of a launch would be measured instead.
std::size_t probed_set(std::size_t working_set);

}  // namespace msci
