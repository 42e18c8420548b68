// Random kernels as a program with a plan, and whether a device computes what they mean.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/source.h"
#include "engine/device/device.h"
#include "tests/compiler/random_kernel.h"

namespace msci {

constexpr unsigned kernels_per_program = 3;

struct RandomProgram {
  Source source;
  std::vector<RandomKernel> kernels;
  Plan plan;
};

// The same seed gives the same program.
RandomProgram make_random_program(std::uint64_t seed);

// Writes the program for msci-eval into an empty or a new folder: random.metal, plan.json, and the
// input and the expected outputs as the plan names them.
[[nodiscard]] std::optional<Error> save(const RandomProgram& program, const std::string& folder);

// Builds the program and runs it once in each of these ways. What went wrong first, with the text
// of the kernel; none where all outputs are right. Errors: ours or the device's.
Result<std::optional<std::string>> find_disagreement(Device& device, const RandomProgram& program,
                                                     std::span<const Execution> ways);

}  // namespace msci
