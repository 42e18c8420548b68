#include "base/process/virtual_memory.h"

#include <unistd.h>

#include <cstdio>

namespace msci {

std::optional<std::size_t> address_space_in_use() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (!file) return std::nullopt;
  std::size_t pages = 0;
  const bool is_read = std::fscanf(file, "%zu", &pages) == 1;
  std::fclose(file);
  if (!is_read) return std::nullopt;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace msci
