// Verdicts that were reached before, on disk, for equal texts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/files/cache.h"

namespace msci {

class VerdictCache {
 public:
  // Without a folder it keeps nothing. `most_bytes` bounds the files of all verdicts together; the
  // ones that were used least recently make room.
  VerdictCache(std::optional<std::filesystem::path> folder, std::uintmax_t most_bytes);

  // The verdict last stored for that digest, if it is still there.
  std::optional<std::string> find(const std::string& digest);
  void store(const std::string& digest, const std::string& verdict);

 private:
  void trim();

  Cache cache_;
  std::uintmax_t most_bytes_;
  std::uintmax_t bytes_ = 0;  // about, of all files
};

}  // namespace msci
