// What is worth keeping between runs: reference results and measured ceilings. Losing it costs time
// and nothing else, so a cache that cannot be read or written is never an error.
#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

// $XDG_CACHE_HOME/msci, else ~/.cache/msci; none where the environment names no home.
std::optional<std::filesystem::path> user_cache_folder();

// Named entries, each a file. Safe to use from several threads and processes at once.
class Cache {
 public:
  // Without a folder it keeps nothing.
  explicit Cache(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

  // What was last stored under `name`, a relative path; none where nothing was, or it is damaged.
  std::optional<std::vector<std::byte>> load(std::string_view name) const;

  // Keeps `contents`, whole or not at all.
  void store(std::string_view name, std::span<const std::byte> contents);

  // The first thing that kept it from storing, for a person; empty where nothing did.
  std::string complaint() const;

 private:
  std::optional<std::filesystem::path> folder_;
  mutable std::mutex mutex_;
  std::string complaint_;
};

}  // namespace msci
