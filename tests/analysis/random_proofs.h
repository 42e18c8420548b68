// Compares proofs and runs of many random kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/device/device.h"

namespace msci {

struct RandomProofs {
  unsigned kernels = 0;
  unsigned proved = 0, refuted = 0, unknown = 0;  // kernels, by their worst answer
  std::vector<std::string> disagreements;
  std::string source;  // of the kernels with disagreements
};

// Of the kernels of `count` seeds from `first` on. Errors are ours.
Result<RandomProofs> compare_random_kernels(std::uint64_t first, unsigned count, Device& device);

}  // namespace msci
