// Loops shared among threads; what they compute must not depend on how they are shared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace msci {

// Calls body(begin, end) for consecutive parts of [0, count), and waits for all. `operations`:
// about how many arithmetic operations one of them takes. A thread starts only for more work than
// its start takes: a reference has many steps, and many references run beside each other.
template <typename Body>
void in_parallel(std::size_t count, std::size_t operations, const Body& body) {
  constexpr std::size_t least_operations = 200'000;  // of a thread
  constexpr std::size_t most_threads = 64;
  const auto processors =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most_threads);
  const auto parts = std::clamp<std::size_t>(count * operations / least_operations, 1, processors);
  std::vector<std::jthread> threads;  // joined when they leave scope
  for (std::size_t part = 1; part < parts; ++part)
    threads.emplace_back(body, count * part / parts, count * (part + 1) / parts);
  body(std::size_t{0}, count / parts);
}

}  // namespace msci
