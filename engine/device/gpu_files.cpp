#include "engine/device/gpu_files.h"

#include <string>
#include <system_error>

namespace msci {

std::vector<std::filesystem::path> gpu_files() {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  std::error_code problem;
  // By name, since a folder may be closed to those who list it.
  for (const auto* name : {"/dev/dri", "/dev/kfd", "/dev/dxg"})
    if (fs::exists(name, problem)) files.emplace_back(name);
  const fs::directory_iterator end;
  for (fs::directory_iterator each("/dev", problem); !problem && each != end;
       each.increment(problem))
    if (const auto name = each->path().filename().string();
        name.starts_with("nvidia") || name.starts_with("mali"))
      files.push_back(each->path());
  return files;
}

}  // namespace msci
