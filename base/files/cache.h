// A cache on disk for reference results and measured ceilings. Losing it costs only time, so a
// cache that cannot be read or written is not an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

// $XDG_CACHE_HOME/msci, else ~/.cache/msci; nothing if neither variable is set.
std::optional<std::filesystem::path> user_cache_folder();

// Named entries, each a file. Safe to use from several threads and processes at once.
class Cache {
 public:
  // Without a folder it stores nothing.
  explicit Cache(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

  // The contents last stored under `name`, a relative path; nothing if none were stored, or they
  // are damaged.
  std::optional<std::vector<std::byte>> load(std::string_view name) const;

  // Stores `contents` atomically.
  void store(std::string_view name, std::span<const std::byte> contents);

  // Afterwards there is no such entry.
  void remove(std::string_view name);

  // Marks an entry as used, for trim().
  void touch(std::string_view name) const;

  struct Usage {
    std::size_t entries = 0;
    std::uintmax_t bytes = 0;
  };
  // Counts the entries below a subfolder, and their bytes.
  Usage usage(std::string_view subfolder) const;

  // Removes the least recently stored or touched entries of a subfolder until at most this many
  // bytes are left.
  void trim(std::string_view subfolder, std::uintmax_t most_bytes);

  // The first error of store(), for a person; empty without one.
  std::string first_error() const;

 private:
  std::optional<std::filesystem::path> folder_;
  mutable std::mutex mutex_;
  std::string first_error_;
};

}  // namespace msci
