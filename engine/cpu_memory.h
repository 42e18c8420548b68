// Memory of the processor between addresses that no access may touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace msci::engine {

class Arena;

class GuardedMemory {
 public:
  // Beside all arenas, between guard pages. None if the system has not that much.
  static std::optional<GuardedMemory> allocate(std::size_t bytes);
  GuardedMemory(GuardedMemory&& other) noexcept;
  GuardedMemory& operator=(GuardedMemory&&) = delete;
  ~GuardedMemory();

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  friend Arena;
  GuardedMemory() = default;

  Arena* arena_ = nullptr;      // that owns the addresses; null if this does
  std::byte* begin_ = nullptr;  // of the guard before the memory
  std::size_t mapped_ = 0;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// Reserved address space for what kernels access, in windows (isolation/windows.h) with at most one
// memory in each. It needs no memory by itself, and must outlive what it gives.
class Arena {
 public:
  // So many windows, or as many as the system has room for. None if it has room for none.
  static std::unique_ptr<Arena> reserve(std::size_t windows);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Zeros, or what an earlier memory left. None if no window is left, or the system has not that
  // much memory.
  std::optional<GuardedMemory> allocate(std::size_t bytes);
  // Before a kernel runs: memory that was given back stays accessible until then, since the next
  // allocation of its size takes it as it is.
  void close_unused();
  const std::byte* begin() const { return begin_; }
  std::size_t size() const;
  bool holds(const void* address) const;

 private:
  friend GuardedMemory;
  struct Window {
    bool is_used = false;
    std::size_t accessible = 0;  // bytes, in pages
  };
  Arena(std::byte* begin, std::size_t windows) : begin_(begin), windows_(windows) {}
  std::byte* memory_in(std::size_t window) const;
  void take_back(const GuardedMemory& memory);

  std::byte* begin_;
  std::vector<Window> windows_;
  bool has_unused_ = false;  // a window that is accessible without use
};

}  // namespace msci::engine
