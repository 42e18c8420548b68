#include "base/files/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/io/descriptor.h"
#include "base/process/fd.h"

namespace msci {
namespace {

Error cannot_write(const std::string& path) {
  return {fmt::format("cannot write {}: {}", path, std::strerror(errno))};
}

// The permissions of new files: 0666 without the umask.
mode_t usual_mode() {
  const auto mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

// The file that a path leads to, through links; the path itself for a new file.
std::string target_of(const std::string& path) {
  std::error_code none;
  const auto target = std::filesystem::canonical(path, none);
  return none ? path : target.string();
}

bool fill(int fd, std::string_view text, mode_t mode, Sync sync) {
  return write_all(fd, text) && ::fchmod(fd, mode) == 0 && (sync == Sync::no || ::fsync(fd) == 0);
}

// Whether the path names something that text is written into: a device, a FIFO or an open file of
// this process. Anything else is a file that a new one replaces.
bool is_stream(const std::string& path, const struct stat& status) {
  constexpr std::array<std::string_view, 3> open_files = {"/dev/std", "/dev/fd/", "/proc/self/fd/"};
  return !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) ||
         std::any_of(open_files.begin(), open_files.end(),
                     [&](std::string_view start) { return path.starts_with(start); });
}

std::optional<Error> write_into(const std::string& path, std::string_view text) {
  const Fd stream(::open(path.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC));
  if (!stream || !write_all(stream.get(), text)) return cannot_write(path);
  return std::nullopt;
}

// Who may use a file, and how.
struct Access {
  mode_t mode;
  std::optional<std::pair<uid_t, gid_t>> owner = {};  // none: this process's user
};

// Writes the text to a file beside the target, which then takes its name.
std::optional<Error> put_in_place(const std::string& path, const std::string& target,
                                  std::string_view text, const Access& access, Sync sync) {
  auto fresh = target + ".XXXXXX";
  const int fd = ::mkstemp(fresh.data());
  if (fd < 0) return cannot_write(path);
  // Only root may change the owner; otherwise the new file belongs to this user.
  if (access.owner && ::fchown(fd, access.owner->first, access.owner->second) != 0) errno = 0;
  const bool filled = fill(fd, text, access.mode, sync);
  const bool closed = ::close(fd) == 0;
  if (filled && closed && std::rename(fresh.c_str(), target.c_str()) == 0) return std::nullopt;
  const auto error = cannot_write(path);
  ::unlink(fresh.c_str());
  return error;
}

}  // namespace

std::optional<Error> write_file(const std::string& path, std::string_view text, Sync sync) {
  struct stat old = {};
  const bool is_there = ::stat(path.c_str(), &old) == 0;
  if (is_there && is_stream(path, old)) return write_into(path, text);
  const auto target = target_of(path);
  if (is_there && ::access(target.c_str(), W_OK) != 0) return cannot_write(path);
  const auto access = is_there ? Access{old.st_mode & 07777, std::pair(old.st_uid, old.st_gid)}
                               : Access{usual_mode()};
  return put_in_place(path, target, text, access, sync);
}

std::optional<Error> replace_file(const std::string& path, std::string_view text, Sync sync) {
  return put_in_place(path, path, text, {usual_mode()}, sync);
}

}  // namespace msci
