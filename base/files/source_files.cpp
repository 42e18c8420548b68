#include "base/files/source_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_set>

namespace msci {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

Error cannot_search(const std::string& folder, const std::error_code& error) {
  return {fmt::format("cannot search {}: {}", folder, error.message())};
}

// What has excluded sources of a folder.
struct Exclusions {
  std::set<std::string> by;
  std::size_t files = 0;
  bool any_folder = false;
};

Error holds_none(const std::string& folder, const Exclusions& exclusions) {
  const auto by = fmt::format("{}", fmt::join(exclusions.by, " and by "));
  if (exclusions.files > 0)
    return {
        exclusions.files == 1 && !exclusions.any_folder
            ? fmt::format("cannot check {}: its only .metal file is excluded by {}", folder, by)
            : fmt::format("cannot check {}: all{} .metal files in it are excluded by {}", folder,
                          exclusions.any_folder ? "" : fmt::format(" {}", exclusions.files), by)};
  const auto rest =
      exclusions.any_folder ? fmt::format(" outside of folders that are excluded by {}", by) : "";
  return {fmt::format("cannot check {}: the directory holds no .metal file{}", folder, rest)};
}

Result<std::vector<std::string>> sources_in(const std::string& folder, const Excluded& excluded,
                                            const IsSource& also) {
  std::vector<std::string> found;
  Exclusions exclusions;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const auto& path = entry->path();
    std::error_code gone;  // a file that was removed meanwhile is left out
    const bool is_folder = entry->is_directory(gone);
    const bool is_file = !is_folder && entry->is_regular_file(gone);
    const bool is_source = is_file && path.extension() == ".metal";
    if (is_file && !is_source && also && !is_hidden(path) && also(path.string()) &&
        excluded(path.string(), false).empty())
      found.push_back(path.lexically_normal().string());
    if (!is_folder && !is_source) continue;
    const auto excluder = is_hidden(path) ? "" : excluded(path.string(), is_folder);
    if (!excluder.empty()) {
      exclusions.by.insert(excluder);
      exclusions.any_folder |= is_folder;
      exclusions.files += is_source;
    }
    if (is_hidden(path) || !excluder.empty()) {
      if (is_folder) entry.disable_recursion_pending();
    } else if (is_source) {
      found.push_back(path.lexically_normal().string());
    }
  }
  if (error) return cannot_search(folder, error);
  if (found.empty()) return holds_none(folder, exclusions);
  std::sort(found.begin(), found.end());
  return found;
}

// Whether a path is excluded, or a folder in it.
bool is_excluded(const fs::path& path, bool is_folder, const Excluded& excluded) {
  fs::path part;
  for (const auto& name : path.lexically_normal()) {
    part /= name;
    if (name.empty() || name == "/" || name == "." || name == "..") continue;
    const bool is_last = part == path.lexically_normal();
    if (!excluded(part.string(), !is_last || is_folder).empty()) return true;
  }
  return false;
}

}  // namespace

Files expand(const std::vector<std::string>& arguments, const Excluded& excluded, bool force,
             const IsSource& also) {
  Files files;
  std::unordered_set<std::string> seen;
  for (const auto& argument : arguments) {
    std::error_code none;
    const bool is_folder = argument != "-" && fs::is_directory(argument, none);
    if (force && argument != "-" && is_excluded(argument, is_folder, excluded)) continue;
    auto here = is_folder ? sources_in(argument, excluded, also) : std::vector{argument};
    if (!here) {
      files.errors.push_back(here.error());
      continue;
    }
    for (auto& file : *here)
      if (seen.insert(fs::path(file).lexically_normal().string()).second)
        files.names.push_back(std::move(file));
  }
  return files;
}

}  // namespace msci
