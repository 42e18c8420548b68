// The kernels of a folder.
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

namespace msci {

// The .metal files of a folder, sorted.
inline std::vector<std::filesystem::path> metal_files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& each : std::filesystem::directory_iterator(folder))
    if (each.path().extension() == ".metal") files.push_back(each.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace msci
