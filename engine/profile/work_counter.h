// What the generated code of counted kernels calls: counts blocks and accesses.
#pragma once

#include <cstdint>

#include "analysis/profile/access_counter.h"
#include "analysis/profile/launch_counts.h"
#include "compiler/instrument.h"

namespace msci::engine {

// Counts for one launch at a time.
class WorkCounter {
 public:
  // What is counted from now on goes to `counts`, which must outlive it and has an element for each
  // block and each access.
  void begin_launch(LaunchCounts& counts) { counts_ = &counts; }
  // `apart`: not beside the last one.
  void begin_threadgroup(bool apart) { accesses_.begin_threadgroup(apart); }
  void count_block(std::uint32_t block, std::uint32_t mask);
  void count_access(std::uint32_t number, const AccessSite& site,
                    const std::array<std::uint64_t, 32>& addresses, std::uint32_t mask);

 private:
  LaunchCounts* counts_ = nullptr;
  AccessCounter accesses_;
};

// The functions by the names that generated code calls.
RuntimeFunctions count_functions();

}  // namespace msci::engine
