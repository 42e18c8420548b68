#include "base/files/install_paths.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

namespace msci {

Result<std::string> find_program(std::string_view name) {
  std::error_code problem;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (problem) return Error{fmt::format("/proc/self/exe: {}", problem.message())};
  const auto here = self.parent_path();
  const auto beside = here / name;
  const auto in_libexec = (here / MSCI_LIBEXEC_FROM_BIN / name).lexically_normal();
  for (const auto& path : {beside, in_libexec})
    if (::access(path.c_str(), X_OK) == 0) return path.string();
  return Error{fmt::format("{} is missing; install it beside {} or at {}", name, self.string(),
                           in_libexec.string())};
}

}  // namespace msci
