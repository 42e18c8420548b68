#include "runtime/engine/cpu_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "runtime/engine/isolation/windows.h"

namespace msci::engine {

namespace {

constexpr std::size_t guard_bytes = std::size_t{1} << 20;
constexpr std::size_t page = 4096;
constexpr std::size_t large = std::size_t{4} << 20;  // bytes for which large pages pay

// Memories at equal places of their windows would compete for the same few entries of the
// processor's tables of pages, small ones and large ones.
constexpr std::size_t colour_bytes = (std::size_t{2} << 20) + 17 * page;
constexpr std::size_t most_windows = 512;
// A window keeps up to so many bytes for its next memory: the system would clear new pages.
constexpr std::size_t most_kept = std::size_t{16} << 20;
static_assert(most_windows * colour_bytes < (std::size_t{1} << 32));

constexpr int reserved = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

std::size_t in_pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

bool make_accessible(std::byte* data, std::size_t bytes) {
  if (::mprotect(data, bytes, PROT_READ | PROT_WRITE) != 0) return false;
  if (bytes >= large) ::madvise(data, bytes, MADV_HUGEPAGE);
  return true;
}

}  // namespace

std::optional<GuardedMemory> GuardedMemory::allocate(std::size_t bytes) {
  GuardedMemory memory;
  memory.mapped_ = in_pages(bytes) + 2 * guard_bytes;
  auto* begin = ::mmap(nullptr, memory.mapped_, PROT_NONE, reserved, -1, 0);
  if (begin == MAP_FAILED) return std::nullopt;
  memory.begin_ = static_cast<std::byte*>(begin);
  memory.data_ = memory.begin_ + guard_bytes;
  memory.size_ = bytes;
  if (!make_accessible(memory.data_, in_pages(bytes))) return std::nullopt;
  return memory;
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : arena_(std::exchange(other.arena_, nullptr)),
      begin_(std::exchange(other.begin_, nullptr)),
      mapped_(other.mapped_),
      data_(other.data_),
      size_(other.size_) {}

GuardedMemory::~GuardedMemory() {
  if (arena_) arena_->take_back(*this);
  if (begin_) ::munmap(begin_, mapped_);
}

bool GuardedMemory::map(std::size_t offset, int file, std::size_t first, std::size_t bytes) const {
  if (size_ <= most_kept || offset % page != 0 || offset + in_pages(bytes) > size_) return false;
  return ::mmap(data_ + offset, in_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
                file, static_cast<off_t>(first)) != MAP_FAILED;
}

std::unique_ptr<Arena> Arena::reserve(std::size_t windows) {
  for (windows = std::min(windows, most_windows); windows > 0; windows /= 2) {
    auto* begin = ::mmap(nullptr, windows * window_bytes, PROT_NONE, reserved, -1, 0);
    if (begin != MAP_FAILED)
      return std::unique_ptr<Arena>(new Arena(static_cast<std::byte*>(begin), windows));
  }
  return nullptr;
}

Arena::~Arena() { ::munmap(begin_, size()); }

std::size_t Arena::size() const { return used_.size() * window_bytes; }

bool Arena::holds(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  return at >= begin_ && at < begin_ + size();
}

std::optional<GuardedMemory> Arena::allocate(std::size_t bytes) {
  const auto unused = std::find(used_.begin(), used_.end(), false);
  if (unused == used_.end() || bytes > most_memory_bytes) return std::nullopt;
  const auto window = static_cast<std::size_t>(unused - used_.begin());
  auto* data = begin_ + window * window_bytes + most_before + window_margin + window * colour_bytes;
  if (!make_accessible(data, in_pages(bytes))) return std::nullopt;
  *unused = true;
  GuardedMemory memory;
  memory.arena_ = this;
  memory.data_ = data;
  memory.size_ = bytes;
  return memory;
}

void Arena::take_back(const GuardedMemory& memory) {
  const auto bytes = in_pages(memory.size_);
  if (bytes > most_kept || ::mprotect(memory.data_, bytes, PROT_NONE) != 0)
    ::mmap(memory.data_, bytes, PROT_NONE, reserved | MAP_FIXED, -1, 0);
  used_[static_cast<std::size_t>(memory.data_ - begin_) / window_bytes] = false;
}

}  // namespace msci::engine
