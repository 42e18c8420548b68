// Files are written beside their target and then take its name. WASI has neither owners,
// permissions nor leases, so an edit in the instant between the comparison and the change of names
// would be lost.
#include "base/files/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>

#include "base/files/read_file.h"
#include "base/io/descriptor.h"
#include "base/process/fd.h"

namespace msci {
namespace {

Error cannot_write(const std::string& path) {
  return {fmt::format("cannot write {}: {}", path, std::strerror(errno))};
}

Error not_done(const FileUpdate& update) {
  return {fmt::format("{} changed while {} ran; not {}", update.path, update.program, update.done)};
}

std::string target_of(const std::string& path) {
  std::error_code none;
  const auto existing = std::filesystem::canonical(path, none);
  return none ? path : existing.string();
}

bool is_stream(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

std::optional<Error> write_file(const std::string& path, std::string_view text, Sync sync) {
  if (!is_stream(path)) return replace_file(target_of(path), text, sync);
  const Fd stream(::open(path.c_str(), O_WRONLY | O_APPEND));
  if (!stream || !write_all(stream.get(), text)) return cannot_write(path);
  return std::nullopt;
}

std::optional<Error> replace_file(const std::string& path, std::string_view text, Sync sync) {
  auto fresh = path + ".XXXXXX";
  Fd file(::mkostemp(fresh.data(), 0));
  if (!file) return cannot_write(path);
  if (write_all(file.get(), text) && (sync == Sync::no || ::fsync(file.get()) == 0) &&
      ::close(file.release()) == 0 && std::rename(fresh.c_str(), path.c_str()) == 0)
    return std::nullopt;
  const auto error = cannot_write(path);
  ::unlink(fresh.c_str());
  return error;
}

Result<std::optional<std::string>> text_before_update(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0 || is_stream(path)) return std::optional<std::string>();
  auto text = read_text(target_of(path), std::numeric_limits<std::size_t>::max() - 1);
  if (!text) return text.error();
  return std::optional(*std::move(text));
}

std::optional<Error> changed_meanwhile(const FileUpdate& update) {
  const auto now = text_before_update(update.path);
  if (now && *now == update.before) return std::nullopt;
  return not_done(update);
}

std::optional<Error> update_file(const FileUpdate& update, std::string_view text, Sync sync) {
  const auto now = text_before_update(update.path);
  if (now && *now == text) return std::nullopt;
  if (!now || *now != update.before) return not_done(update);
  return write_file(update.path, text, sync);
}

}  // namespace msci
