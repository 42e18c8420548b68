// Where the generated code of covered kernels marks the outcomes that it sees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/profile/launch_counts.h"

namespace msci::engine {

// Of one thread of the processor, so that marks need no atomic operation.
class OutcomeRecord {
 public:
  // A word for each of so many outcomes of a kernel: the lanes of simdgroups that saw it.
  std::uint32_t* words_for(const std::string& symbol, std::size_t outcomes);
  // Adds what this has seen of a kernel: outcomes count as blocks (certificate.h).
  void add_to(const std::string& symbol, std::vector<BlockCount>& seen) const;

 private:
  std::map<std::string, std::vector<std::uint32_t>> words_;
};

}  // namespace msci::engine
