// The pages of the system.
#pragma once

#include <cstddef>

namespace msci {

// The largest that a system for this processor has: memory at multiples of it can be mapped and
// protected by itself.
#ifdef __aarch64__
inline constexpr std::size_t largest_page = std::size_t{64} << 10;  // 4, 16 or 64 KiB
#else
inline constexpr std::size_t largest_page = std::size_t{4} << 10;
#endif

// The bytes of whole pages that hold so many bytes.
constexpr std::size_t in_pages(std::size_t bytes) {
  return (bytes + largest_page - 1) / largest_page * largest_page;
}

}  // namespace msci
