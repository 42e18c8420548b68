#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/cache.h"
#include "base/json.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/modes/modes.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// The user's cache. Errors: it has no place.
Result<fs::path> cache_folder() {
  if (auto folder = user_cache_folder()) return *std::move(folder);
  return Error{"results are not kept: set XDG_CACHE_HOME or HOME"};
}

// One folder for each kind of result.
std::vector<fs::path> kinds_in(const fs::path& folder) {
  std::vector<fs::path> kinds;
  std::error_code none;  // a cache that was never used has no folder
  for (const auto& each : fs::directory_iterator(folder, none))
    if (each.is_directory(none)) kinds.push_back(each.path());
  std::ranges::sort(kinds);
  return kinds;
}

}  // namespace

int print_cache(bool json) {
  const auto folder = cache_folder();
  if (!folder) return report_error(folder.error());
  const Cache cache(*folder);
  OrderedJson all = {{"folder", folder->string()}, {"kinds", OrderedJson::array()}};
  if (!json) fmt::print("{}\n", folder->string());
  for (const auto& kind : kinds_in(*folder)) {
    const auto name = kind.filename().string();
    const auto [entries, bytes] = cache.usage(name);
    all["kinds"].push_back({{"name", name}, {"entries", entries}, {"bytes", bytes}});
    if (!json)
      fmt::print("  {:12} {:8} entries {:10.1f} MiB\n", name, entries,
                 static_cast<double>(bytes) / (1 << 20));
  }
  if (json) fmt::print("{}\n", to_line(all));
  return all_right;
}

int clear_cache() {
  const auto folder = cache_folder();
  if (!folder) return report_error(folder.error());
  const Cache cache(*folder);
  Cache::Usage removed;
  for (const auto& kind : kinds_in(*folder)) {
    const auto use = cache.usage(kind.filename().string());
    std::error_code problem;
    fs::remove_all(kind, problem);
    if (problem)
      return report_error({fmt::format("cannot remove {}: {}", kind.string(), problem.message())});
    removed.entries += use.entries;
    removed.bytes += use.bytes;
  }
  fmt::print("removed {} entries, {:.1f} MiB, from {}\n", removed.entries,
             static_cast<double>(removed.bytes) / (1 << 20), folder->string());
  return all_right;
}

}  // namespace msci
