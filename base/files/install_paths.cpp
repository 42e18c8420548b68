#include "base/files/install_paths.h"

#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <span>

namespace msci {
namespace {

Result<std::filesystem::path> running_program() {
  std::error_code problem;
  auto self = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (problem) return Error{fmt::format("/proc/self/exe: {}", problem.message())};
  return self;
}

// Appends what the linker made of all code, if the notes of a program hold it.
void add_build_id(std::span<const std::byte> notes, std::string& to) {
  const auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  ElfW(Nhdr) note = {};
  while (notes.size() >= sizeof note) {
    std::memcpy(&note, notes.data(), sizeof note);
    const auto begin = sizeof note + padded(note.n_namesz);
    const auto end = begin + padded(note.n_descsz);
    if (end > notes.size()) return;
    if (note.n_type == NT_GNU_BUILD_ID)
      for (const auto byte : notes.subspan(begin, note.n_descsz))
        to += fmt::format("{:02x}", static_cast<unsigned>(byte));
    notes = notes.subspan(end);
  }
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

std::string program_version() { return MSCI_VERSION; }

std::string program_identity() {
  struct stat program = {};
  if (::stat("/proc/self/exe", &program) != 0) return MSCI_VERSION;
  return fmt::format("{} {}:{} {} {}.{}", MSCI_VERSION, program.st_dev, program.st_ino,
                     program.st_size, program.st_mtim.tv_sec, program.st_mtim.tv_nsec);
}

std::string program_build() {
  std::string build = MSCI_VERSION " ";
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        for (const auto& segment : std::span(info->dlpi_phdr, info->dlpi_phnum))
          if (segment.p_type == PT_NOTE)
            add_build_id({reinterpret_cast<const std::byte*>(info->dlpi_addr + segment.p_vaddr),
                          segment.p_memsz},
                         *static_cast<std::string*>(to));
        return 1;  // the program is the first; its libraries do not count
      },
      &build);
  return build;
}

std::string documentation_folder() {
  const auto self = running_program();
  if (!self) return {};
  const auto folder = (self->parent_path() / MSCI_DOC_FROM_BIN).lexically_normal();
  std::error_code none;
  return std::filesystem::is_directory(folder, none) ? folder.string() : std::string();
}

}  // namespace msci
