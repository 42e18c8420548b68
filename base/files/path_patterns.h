// Patterns of paths, as in lists of files to exclude.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace msci {

// Whether a pattern fits the path, which counts from `folder`; false outside that folder. A pattern
// without '/' fits a name anywhere below the folder, one with '/' a path from there, and what lies
// below it. `*`, `?` and `[a-z]` match characters within a name.
bool fits_any(const std::vector<std::string>& patterns, const std::filesystem::path& folder,
              const std::string& path);

}  // namespace msci
