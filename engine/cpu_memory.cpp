#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "engine/device/page_size.h"
#include "engine/isolation/windows.h"
#include "engine/queue/cpu_queue.h"

namespace msci::engine {

namespace {

constexpr std::size_t guard_bytes = std::size_t{1} << 20;
constexpr std::size_t large = std::size_t{4} << 20;  // bytes for which large pages pay

// Memories at equal places of their windows would compete for the same few entries of the
// processor's tables of pages, small ones and large ones.
constexpr std::size_t colour_bytes = (std::size_t{2} << 20) + 17 * largest_page;
constexpr std::size_t most_windows = 512;
// A window keeps up to so many bytes for its next memory: the system would clear new pages.
constexpr std::size_t most_kept = std::size_t{16} << 20;
static_assert(most_windows * colour_bytes < (std::size_t{1} << 32));

constexpr int reserved = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

bool make_accessible(std::byte* data, std::size_t bytes) {
  if (::mprotect(data, bytes, PROT_READ | PROT_WRITE) != 0) return false;
  if (bytes >= large) ::madvise(data, bytes, MADV_HUGEPAGE);
  return true;
}

void make_inaccessible(std::byte* data, std::size_t bytes) {
  if (::mprotect(data, bytes, PROT_NONE) != 0)
    ::mmap(data, bytes, PROT_NONE, reserved | MAP_FIXED, -1, 0);
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

std::unique_ptr<Arena> Arena::reserve(std::size_t windows) {
  for (windows = std::min(windows, most_windows); windows > 0; windows /= 2) {
    auto* begin = ::mmap(nullptr, windows * window_bytes, PROT_NONE, reserved, -1, 0);
    if (begin != MAP_FAILED)
      return std::unique_ptr<Arena>(new Arena(static_cast<std::byte*>(begin), windows));
  }
  return nullptr;
}

Arena::~Arena() { ::munmap(begin_, size()); }

std::size_t Arena::size() const { return windows_.size() * window_bytes; }

bool Arena::holds(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  return at >= begin_ && at < begin_ + size();
}

std::byte* Arena::memory_in(std::size_t window) const {
  return begin_ + window * window_bytes + most_before + window_margin + window * colour_bytes;
}

std::optional<GuardedMemory> Arena::allocate(std::size_t bytes) {
  const auto unused = std::ranges::find(windows_, false, &Window::is_used);
  if (unused == windows_.end() || bytes > most_memory_bytes) return std::nullopt;
  auto* data = memory_in(static_cast<std::size_t>(unused - windows_.begin()));
  const auto needed = in_pages(bytes);
  if (unused->accessible < needed && !make_accessible(data, needed)) return std::nullopt;
  if (unused->accessible > needed) make_inaccessible(data + needed, unused->accessible - needed);
  *unused = {.is_used = true, .accessible = needed};
  GuardedMemory memory;
  memory.arena_ = this;
  memory.data_ = data;
  memory.size_ = bytes;
  return memory;
}

void Arena::take_back(const GuardedMemory& memory) {
  auto& window = windows_[static_cast<std::size_t>(memory.data_ - begin_) / window_bytes];
  window.is_used = false;
  has_unused_ = true;
  if (window.accessible <= most_kept) return;
  ::mmap(memory.data_, window.accessible, PROT_NONE, reserved | MAP_FIXED, -1, 0);
  window.accessible = 0;
}

void Arena::close_unused() {
  if (!std::exchange(has_unused_, false)) return;
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    auto& window = windows_[i];
    if (window.is_used || window.accessible == 0) continue;
    make_inaccessible(memory_in(i), window.accessible);
    window.accessible = 0;
  }
}

}  // namespace msci::engine
