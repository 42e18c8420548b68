#include "base/process/memory_size.h"

#include <unistd.h>

#include <array>
#include <cstdio>

namespace msci {
namespace {

std::size_t page_bytes() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

// The fields of statm: all, resident, shared, code, libraries, data.
std::optional<std::array<std::size_t, 6>> sizes_in_pages() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (!file) return std::nullopt;
  std::array<std::size_t, 6> sizes = {};
  const bool is_read = std::fscanf(file, "%zu %zu %zu %zu %zu %zu", &sizes[0], &sizes[1], &sizes[2],
                                   &sizes[3], &sizes[4], &sizes[5]) == 6;
  std::fclose(file);
  if (!is_read) return std::nullopt;
  return sizes;
}

}  // namespace

std::optional<std::size_t> address_space_in_use() {
  const auto sizes = sizes_in_pages();
  if (!sizes) return std::nullopt;
  return sizes->front() * page_bytes();
}

std::optional<std::size_t> data_in_use() {
  const auto sizes = sizes_in_pages();
  if (!sizes) return std::nullopt;
  return sizes->back() * page_bytes();
}

std::size_t physical_memory() {
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * page_bytes();
}

}  // namespace msci
