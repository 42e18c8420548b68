// Runs wild kernels (wild_kernel.h) beside memory that is not theirs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace msci {

struct WildResults {
  std::size_t ran = 0;               // to their end
  std::size_t stopped = 0;           // by a guard, or at a page outside
  std::size_t late = 0;              // stopped at the time limit
  std::size_t refused = 0;           // not translated
  std::vector<std::uint64_t> ended;  // the seeds of those that ended their processes otherwise
  std::uint64_t next_seed = 0;       // after the last one
  std::size_t kernels() const { return ran + stopped + late + ended.size(); }
};

// That many kernels that are translated, with the seeds from that one on, each in a process of its
// own. An error: the first kernel that reaches memory outside, or a text that is not translated.
std::optional<std::string> run_wild_kernels(std::uint64_t seed, std::size_t count,
                                            WildResults& results);

}  // namespace msci
