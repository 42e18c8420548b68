// The files of /dev through which drivers reach GPUs.
#pragma once

#include <filesystem>
#include <vector>

namespace msci {

// Those that this system has; the sandbox lets workers open no others. Empty: no driver has a GPU.
std::vector<std::filesystem::path> gpu_files();

}  // namespace msci
