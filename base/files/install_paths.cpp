#include "base/files/install_paths.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace msci {
namespace {

Result<std::filesystem::path> running_program() {
  std::error_code problem;
  auto self = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (problem) return Error{fmt::format("/proc/self/exe: {}", problem.message())};
  return self;
}

}  // namespace

Result<std::string> find_program(std::string_view name) {
  const auto self = running_program();
  if (!self) return self.error();
  const auto here = self->parent_path();
  const auto beside = here / name;
  const auto in_libexec = (here / MSCI_LIBEXEC_FROM_BIN / name).lexically_normal();
  for (const auto& path : {beside, in_libexec})
    if (::access(path.c_str(), X_OK) == 0) return path.string();
  return Error{fmt::format("{} is missing; install it beside {} or at {}", name, self->string(),
                           in_libexec.string())};
}

std::string program_identity() {
  struct stat program = {};
  if (::stat("/proc/self/exe", &program) != 0) return MSCI_VERSION;
  return fmt::format("{} {}:{} {} {}.{}", MSCI_VERSION, program.st_dev, program.st_ino,
                     program.st_size, program.st_mtim.tv_sec, program.st_mtim.tv_nsec);
}

std::string documentation_folder() {
  const auto self = running_program();
  if (!self) return {};
  const auto folder = (self->parent_path() / MSCI_DOC_FROM_BIN).lexically_normal();
  std::error_code none;
  return std::filesystem::is_directory(folder, none) ? folder.string() : std::string();
}

}  // namespace msci
