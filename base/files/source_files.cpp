#include "base/files/source_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_set>

namespace msci {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

Error cannot_search(const std::string& folder, const std::error_code& error) {
  return {fmt::format("cannot search {}: {}", folder, error.message())};
}

Result<std::vector<std::string>> sources_in(const std::string& folder, const Excluded& excluded) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const auto& path = entry->path();
    std::error_code gone;  // a file that was removed meanwhile is left out
    const bool is_folder = entry->is_directory(gone);
    const bool is_source = path.extension() == ".metal" && entry->is_regular_file(gone);
    if (!is_folder && !is_source) continue;
    if (is_hidden(path) || excluded(path.string(), is_folder)) {
      if (is_folder) entry.disable_recursion_pending();
    } else if (is_source) {
      found.push_back(path.lexically_normal().string());
    }
  }
  if (error) return cannot_search(folder, error);
  if (found.empty())
    return Error{fmt::format("cannot check {}: the directory holds no .metal file", folder)};
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

Files expand(const std::vector<std::string>& arguments, const Excluded& excluded) {
  Files files;
  std::unordered_set<std::string> seen;
  for (const auto& argument : arguments) {
    std::error_code none;
    const bool is_folder = argument != "-" && fs::is_directory(argument, none);
    auto here = is_folder ? sources_in(argument, excluded) : std::vector{argument};
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
