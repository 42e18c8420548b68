// Whether paths lie in a folder, or fit patterns, as in lists of files to exclude.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace msci {

// Whether the path lies in the folder, or is the folder; both are absolute and normal.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

// Whether a pattern fits the path, which counts from `folder`; false outside that folder. A pattern
// without '/' fits a name anywhere below the folder, one with '/' a path from there, and what lies
// below it. `*`, `?` and `[a-z]` match characters within a name.
bool fits_any(const std::vector<std::string>& patterns, const std::filesystem::path& folder,
              const std::string& path);

}  // namespace msci
