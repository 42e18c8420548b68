#include "base/files/repository.h"

#include <fnmatch.h>

#include <algorithm>
#include <optional>
#include <span>

#include "base/files/read_file.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

using Parts = std::span<const std::string>;

std::vector<std::string> path_parts(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find('/', begin), path.size());
    if (end > begin) parts.emplace_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// Trailing spaces do not count, unless a backslash stands before the last one.
std::string_view without_trailing_spaces(std::string_view line) {
  while (line.ends_with('\r') || (line.ends_with(' ') && !line.ends_with("\\ ")))
    line.remove_suffix(1);
  return line;
}

std::optional<IgnorePattern> pattern_of(std::string_view line) {
  line = without_trailing_spaces(line);
  if (line.empty() || line.starts_with('#')) return std::nullopt;
  IgnorePattern pattern;
  if (line.starts_with('!')) {
    pattern.includes_again = true;
    line.remove_prefix(1);
  }
  if (line.ends_with('/')) {
    pattern.only_folders = true;
    line.remove_suffix(1);
  }
  pattern.is_anchored = line.find('/') != std::string_view::npos;
  pattern.names = path_parts(line);
  if (pattern.names.empty()) return std::nullopt;
  return pattern;
}

// "**" at the end fits what lies below a folder, elsewhere any number of folders, also none. The
// table keeps patterns with many "**" from taking exponential time.
bool fit(Parts names, Parts path) {
  std::vector<bool> fits_rest(path.size() + 1, false);  // whether names[i..] fit path[j..]
  fits_rest[path.size()] = true;
  for (std::size_t i = names.size(); i-- > 0;) {
    std::vector<bool> fits(path.size() + 1, false);
    const bool is_last = i + 1 == names.size();
    for (std::size_t j = path.size() + 1; j-- > 0;) {
      if (names[i] == "**")
        fits[j] = is_last ? j < path.size() : fits_rest[j] || (j < path.size() && fits[j + 1]);
      else
        fits[j] = j < path.size() && fits_rest[j + 1] &&
                  ::fnmatch(names[i].c_str(), path[j].c_str(), 0) == 0;
    }
    fits_rest = std::move(fits);
  }
  return fits_rest[0];
}

bool pattern_fits(const IgnorePattern& pattern, Parts path, bool is_folder) {
  if (pattern.only_folders && !is_folder) return false;
  return fit(pattern.names, pattern.is_anchored ? path : path.last(1));
}

}  // namespace

fs::path repository_of(const fs::path& path) {
  std::error_code error;
  for (auto folder = path.parent_path(); folder != folder.parent_path();
       folder = folder.parent_path())
    if (fs::exists(folder / ".git", error)) return folder;
  return {};
}

std::vector<IgnorePattern> ignore_patterns(std::string_view text) {
  std::vector<IgnorePattern> patterns;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    if (auto pattern = pattern_of(text.substr(begin, end - begin)))
      patterns.push_back(*std::move(pattern));
    begin = end + 1;
  }
  return patterns;
}

bool IgnoredFiles::ignores(const std::string& path, bool is_folder) {
  std::error_code error;
  const auto absolute = fs::absolute(path, error).lexically_normal();
  const auto folder = absolute.parent_path();
  auto [repository, is_new] = repositories_.try_emplace(folder.string());
  if (is_new) repository->second = repository_of(absolute);
  const auto& top = repository->second;
  if (top.empty()) return false;
  const auto all_parts = path_parts(absolute.lexically_relative(top).string());
  const Parts parts(all_parts);
  // The last pattern that fits decides; those of deeper folders come later.
  bool ignored = false;
  const auto apply = [&](const fs::path& file, Parts inner) {
    for (const auto& pattern : patterns_in(file))
      if (pattern_fits(pattern, inner, is_folder)) ignored = !pattern.includes_again;
  };
  apply(top / ".git/info/exclude", parts);
  auto at = top;
  for (std::size_t depth = 0; depth < parts.size(); ++depth) {
    apply(at / ".gitignore", parts.subspan(depth));
    at /= parts[depth];
  }
  return ignored;
}

const std::vector<IgnorePattern>& IgnoredFiles::patterns_in(const fs::path& file) {
  const auto [known, is_new] = known_.try_emplace(file.string());
  std::error_code error;
  if (is_new && fs::is_regular_file(file, error))
    if (const auto text = read_text(file.string(), source_size_limit))
      known->second = ignore_patterns(*text);
  return known->second;
}

}  // namespace msci
