#include "base/process/memory_size.h"

#include <unistd.h>

#include <cstdio>

namespace msci {
namespace {

std::size_t page_bytes() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

}  // namespace

std::optional<std::size_t> address_space_in_use() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (!file) return std::nullopt;
  std::size_t pages = 0;
  const bool is_read = std::fscanf(file, "%zu", &pages) == 1;
  std::fclose(file);
  if (!is_read) return std::nullopt;
  return pages * page_bytes();
}

std::size_t physical_memory() {
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * page_bytes();
}

}  // namespace msci
