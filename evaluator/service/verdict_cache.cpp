#include "evaluator/service/verdict_cache.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <vector>

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view subfolder = "verdicts";

struct Entry {
  fs::path path;
  std::size_t bytes = 0;
  fs::file_time_type used;
};

// Files that another process removes meanwhile are left out.
std::vector<Entry> entries_below(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code problem;
  for (fs::recursive_directory_iterator each(folder, problem), end; !problem && each != end;
       each.increment(problem)) {
    std::error_code gone;
    if (!each->is_regular_file(gone) || gone) continue;
    const auto bytes = each->file_size(gone);
    const auto used = each->last_write_time(gone);
    if (!gone) entries.push_back({each->path(), bytes, used});
  }
  return entries;
}

}  // namespace

std::string verdict_entry(const std::string& digest) {
  return std::string(subfolder) + "/" + digest.substr(0, 2) + "/" + digest;
}

CacheUse use_of(const fs::path& folder) {
  CacheUse use;
  for (const auto& entry : entries_below(folder)) {
    ++use.entries;
    use.bytes += entry.bytes;
  }
  return use;
}

VerdictCache::VerdictCache(std::optional<fs::path> folder, std::size_t most_bytes)
    : folder_(folder), cache_(std::move(folder)), most_bytes_(most_bytes) {
  if (folder_) trim();
}

std::optional<std::string> VerdictCache::find(const std::string& digest) {
  const auto kept = cache_.load(verdict_entry(digest));
  if (!kept) return std::nullopt;
  std::error_code ignored;  // it then makes room earlier than it should
  fs::last_write_time(*folder_ / verdict_entry(digest), fs::file_time_type::clock::now(), ignored);
  return std::string(reinterpret_cast<const char*>(kept->data()), kept->size());
}

void VerdictCache::store(const std::string& digest, const std::string& verdict) {
  if (!folder_) return;
  cache_.store(verdict_entry(digest), std::as_bytes(std::span(verdict)));
  bytes_ += verdict.size();
  if (bytes_ > most_bytes_) trim();
}

// Leaves a quarter of the room free, so that the next verdicts need not look at all files.
void VerdictCache::trim() {
  auto entries = entries_below(*folder_ / subfolder);
  bytes_ = 0;
  for (const auto& entry : entries) bytes_ += entry.bytes;
  if (bytes_ <= most_bytes_) return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const auto& entry : entries) {
    if (bytes_ <= most_bytes_ / 4 * 3) break;
    std::error_code ignored;  // another process may have removed it
    fs::remove(entry.path, ignored);
    bytes_ -= entry.bytes;
  }
}

}  // namespace msci
