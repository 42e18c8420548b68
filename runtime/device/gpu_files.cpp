#include "runtime/device/gpu_files.h"

#include <string>
#include <system_error>

namespace msci {

std::vector<std::filesystem::path> gpu_files() {
  std::vector<std::filesystem::path> files;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", problem))
    if (const auto name = entry.path().filename().string();
        name == "dri" || name == "kfd" || name == "dxg" || name.starts_with("nvidia") ||
        name.starts_with("mali"))
      files.push_back(entry.path());
  return files;
}

}  // namespace msci
