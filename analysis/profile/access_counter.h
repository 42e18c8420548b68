// Counts the memory that the lanes of a simdgroup touch at once, with a model of a core's cache.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "analysis/profile/launch_counts.h"
#include "tasks/plan/kernel_code.h"

namespace msci {

// Bytes of a cache line.
inline constexpr std::uint64_t cache_line_bytes = 128;

// The last lines that were touched: those that a core of an Apple GPU can hold.
class CoreCache {
 public:
  static constexpr std::size_t lines = 8192 / cache_line_bytes;

  // Whether it holds the line; then it does.
  bool touch(std::uint64_t line);
  void clear() { held_.fill(none); }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::array<std::uint64_t, lines> held_ = filled();  // the line touched last comes first
  static constexpr std::array<std::uint64_t, lines> filled() {
    std::array<std::uint64_t, lines> held = {};
    held.fill(none);
    return held;
  }
};

class AccessCounter {
 public:
  // Another threadgroup begins. `apart`: not beside the last one.
  void begin_threadgroup(bool apart);
  // An access of the lanes in `mask`, by address, `bytes` of each.
  void count(const AccessSite& site, const std::array<std::uint64_t, 32>& addresses,
             std::uint32_t mask, AccessCount& to);

 private:
  void count_banks(const AccessSite& site, const std::array<std::uint64_t, 32>& addresses,
                   std::uint32_t mask, AccessCount& to);
  void count_lines(const AccessSite& site, const std::array<std::uint64_t, 32>& addresses,
                   std::uint32_t mask, AccessCount& to);

  CoreCache cache_;
  std::unordered_set<std::uint64_t>
      touched_;  // by neighbouring threadgroups; twice the line, and 1 for a store
  std::vector<std::uint64_t> pieces_;  // reused
};

}  // namespace msci
