// Measures our own work; the times of kernels come from the device.
#pragma once

#include <chrono>

namespace msci {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace msci
