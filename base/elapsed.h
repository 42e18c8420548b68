// Measures our own work; the times of kernels come from the device.
#pragma once

#include <chrono>

namespace msci {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Returns what `work` returns, and adds the time that it takes to `total`.
template <typename Work>
auto timed(double& total, Work work) {
  const auto start = std::chrono::steady_clock::now();
  auto result = work();
  total += seconds_since(start);
  return result;
}

}  // namespace msci
