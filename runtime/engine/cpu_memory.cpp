#include "runtime/engine/cpu_memory.h"

#include <sys/mman.h>

#include <utility>

namespace msci::engine {

namespace {

constexpr std::size_t guard_bytes = std::size_t{1} << 20;
constexpr std::size_t page = 4096;
constexpr std::size_t large = std::size_t{4} << 20;  // bytes for which large pages pay

}  // namespace

std::optional<GuardedMemory> GuardedMemory::allocate(std::size_t bytes) {
  const auto rounded = (bytes + page - 1) / page * page;
  GuardedMemory memory;
  memory.mapped_ = rounded + 2 * guard_bytes;
  auto* begin = ::mmap(nullptr, memory.mapped_, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) return std::nullopt;
  memory.begin_ = static_cast<std::byte*>(begin);
  memory.data_ = memory.begin_ + guard_bytes;
  memory.size_ = bytes;
  if (::mprotect(memory.data_, rounded, PROT_READ | PROT_WRITE) != 0) return std::nullopt;
  if (bytes >= large) ::madvise(memory.data_, rounded, MADV_HUGEPAGE);
  return memory;
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)),
      mapped_(other.mapped_),
      data_(other.data_),
      size_(other.size_) {}

GuardedMemory::~GuardedMemory() {
  if (begin_) ::munmap(begin_, mapped_);
}

}  // namespace msci::engine
