// Memory of the processor between pages that no access may touch.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace msci::engine {

class GuardedMemory {
 public:
  // None if the system has not that much.
  static std::optional<GuardedMemory> allocate(std::size_t bytes);
  GuardedMemory(GuardedMemory&& other) noexcept;
  GuardedMemory& operator=(GuardedMemory&&) = delete;
  ~GuardedMemory();

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  GuardedMemory() = default;

  std::byte* begin_ = nullptr;  // of the guard before the memory
  std::size_t mapped_ = 0;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace msci::engine
