// Verdicts that were reached before, on disk, for equal texts.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "base/files/cache.h"

namespace msci {

// What a folder of cached results holds.
struct CacheUse {
  std::size_t entries = 0;
  std::size_t bytes = 0;
};

class VerdictCache {
 public:
  // Without a folder it keeps nothing. `most_bytes` bounds the files of all verdicts together; the
  // ones that were used least recently make room.
  VerdictCache(std::optional<std::filesystem::path> folder, std::size_t most_bytes);

  // The verdict last stored for that digest, if it is still there.
  std::optional<std::string> find(const std::string& digest);
  void store(const std::string& digest, const std::string& verdict);

 private:
  void trim();

  std::optional<std::filesystem::path> folder_;
  Cache cache_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;  // about, of all files
};

// The name of a verdict's file in the user's cache.
std::string verdict_entry(const std::string& digest);

// The files below a folder of the cache; those of other users' making are counted, too.
CacheUse use_of(const std::filesystem::path& folder);

}  // namespace msci
