// Verdicts that were reached before, on disk, for equal texts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/cache.h"

namespace msci {

// Everything that a kept result depends on.
struct ResultKey {
  std::string program;                       // the build of msci: program_identity()
  std::vector<std::string> settings;         // what was asked: "held_out=true"
  std::vector<std::string> devices;          // back end, platform, name and driver of each
  std::map<std::string, std::string> tasks;  // the version of each

  // SHA-256 of that and of the text of a source.
  std::string digest_of(std::string_view text) const;
};

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
