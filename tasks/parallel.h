// Loops shared among threads; what they compute must not depend on how they are shared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace msci {

// Calls body(begin, end) for consecutive parts of [0, count), one per processor, and waits for all.
template <typename Body>
void in_parallel(std::size_t count, const Body& body) {
  const std::size_t parts = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 64);
  std::vector<std::jthread> threads;  // joined when they leave scope
  for (std::size_t part = 1; part < parts; ++part)
    threads.emplace_back(body, count * part / parts, count * (part + 1) / parts);
  body(std::size_t{0}, count / parts);
}

}  // namespace msci
