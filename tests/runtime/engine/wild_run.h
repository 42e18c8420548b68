// Runs wild kernels (wild_kernel.h) beside memory that is not theirs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace msci {

struct WildResults {
  std::size_t ran = 0;      // to their end
  std::size_t stopped = 0;  // by a guard, or at a page outside
  std::size_t late = 0;     // stopped at the time limit
  std::size_t refused = 0;  // not translated
  std::size_t kernels() const { return ran + stopped + late + refused; }
};

// That many kernels, with the seeds from that one on, each in a process of its own. An error: what
// the first kernel did that it must not.
std::optional<std::string> run_wild_kernels(std::uint64_t seed, std::size_t count,
                                            WildResults& results);

}  // namespace msci
