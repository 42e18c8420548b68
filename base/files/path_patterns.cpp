#include "base/files/path_patterns.h"

#include <fnmatch.h>

#include <algorithm>

namespace msci {
namespace {

namespace fs = std::filesystem;

bool matches(const std::string& pattern, const std::string& text, int flags = 0) {
  return ::fnmatch(pattern.c_str(), text.c_str(), FNM_PATHNAME | flags) == 0;
}

bool fits(std::string pattern, const fs::path& path) {
  while (pattern.ends_with('/')) pattern.pop_back();
  if (pattern.find('/') != std::string::npos)
    return matches(pattern.substr(pattern.starts_with('/')), path.string(), FNM_LEADING_DIR);
  return std::any_of(path.begin(), path.end(),
                     [&](const fs::path& name) { return matches(pattern, name.string()); });
}

}  // namespace

bool is_below(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

bool fits_any(const std::vector<std::string>& patterns, const fs::path& folder,
              const std::string& path) {
  if (patterns.empty()) return false;
  std::error_code none;
  const auto inner = fs::absolute(path, none).lexically_normal().lexically_relative(folder);
  if (inner.empty() || *inner.begin() == "..") return false;
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return fits(pattern, inner); });
}

}  // namespace msci
