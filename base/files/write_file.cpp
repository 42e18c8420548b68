#include "base/files/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/limits.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <thread>
#include <utility>

#include "base/files/read_file.h"
#include "base/io/descriptor.h"
#include "base/process/fd.h"

namespace msci {
namespace {

constexpr int most_links = 40;  // as the system allows

// An editor has a file open for much less than a second while it saves it.
constexpr int most_lease_attempts = 100;
constexpr std::chrono::milliseconds between_lease_attempts(10);

Error cannot_write(const std::string& path) {
  return {fmt::format("cannot write {}: {}", path, std::strerror(errno))};
}

// The permissions of new files: 0666 without the umask.
mode_t usual_mode() {
  const auto mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

// The file that a path leads to, through links; a new file, too.
std::string target_of(const std::string& path) {
  std::error_code none;
  std::filesystem::path target(path);
  for (int links = 0; links < most_links && std::filesystem::is_symlink(target, none); ++links)
    target = target.parent_path() / std::filesystem::read_symlink(target, none);
  const auto existing = std::filesystem::canonical(path, none);
  return none ? target.string() : existing.string();
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

bool sync_file(int fd, Sync sync) { return sync == Sync::no || ::fsync(fd) == 0; }

// Writes over what the file holds.
std::optional<Error> overwrite(const std::string& path, std::string_view text, Sync sync) {
  Fd file(::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  if (!file || !write_all(file.get(), text) ||
      ::ftruncate(file.get(), static_cast<off_t>(text.size())) != 0 ||
      !sync_file(file.get(), sync) || ::close(file.release()) != 0)
    return cannot_write(path);
  return std::nullopt;
}

// Access lists and labels, as far as the system allows.
void copy_attributes(const std::string& from, int to) {
  std::string names(XATTR_LIST_MAX, '\0');
  const auto size = ::listxattr(from.c_str(), names.data(), names.size());
  std::string value(names.size(), '\0');
  for (ssize_t at = 0; at < size; at += static_cast<ssize_t>(std::strlen(&names[at])) + 1) {
    const auto length = ::getxattr(from.c_str(), &names[at], value.data(), value.size());
    if (length >= 0) ::fsetxattr(to, &names[at], value.data(), static_cast<std::size_t>(length), 0);
  }
}

// Some file systems have no owners to set: there, all files have the same one.
bool give_to_owner_of(const struct stat& old, int fd) {
  struct stat now = {};
  const bool is_owner =
      ::fstat(fd, &now) == 0 && now.st_uid == old.st_uid && now.st_gid == old.st_gid;
  return is_owner || ::fchown(fd, old.st_uid, old.st_gid) == 0;
}

// A file that is complete and waits beside its target for that one's name.
struct FreshFile {
  std::string path;
  bool keeps_owner = true;  // or the target's owner could not be set
};

// `old`: the target, whose owner, permissions and attributes the new file gets; null for the usual
// ones. None on failure, with the reason in errno.
std::optional<FreshFile> write_beside(const std::string& target, const struct stat* old,
                                      std::string_view text, Sync sync) {
  FreshFile fresh{.path = target + ".XXXXXX"};
  Fd file(::mkostemp(fresh.path.data(), O_CLOEXEC));
  if (!file) return std::nullopt;
  if (old) {
    fresh.keeps_owner = give_to_owner_of(*old, file.get());
    copy_attributes(target, file.get());
  }
  if (write_all(file.get(), text) &&
      ::fchmod(file.get(), old ? old->st_mode & 07777 : usual_mode()) == 0 &&
      sync_file(file.get(), sync) && ::close(file.release()) == 0)
    return fresh;
  const int error = errno;
  ::unlink(fresh.path.c_str());
  errno = error;
  return std::nullopt;
}

// `path`: what errors call the target.
std::optional<Error> take_name(const FreshFile& fresh, const std::string& target,
                               const std::string& path) {
  if (std::rename(fresh.path.c_str(), target.c_str()) == 0) return std::nullopt;
  const auto error = cannot_write(path);
  ::unlink(fresh.path.c_str());
  return error;
}

bool rename_as(unsigned flags, const std::string& from, const std::string& to) {
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0;
}

// Renames the fresh file, so that it is not removed as an unfinished one. Returns its name.
std::string set_aside(const FreshFile& fresh, const std::string& target, std::string_view what) {
  auto kept = fmt::format("{}.{}-{}", target, what, fresh.path.substr(target.size() + 1));
  return rename_as(RENAME_NOREPLACE, fresh.path, kept) ? kept : fresh.path;
}

// For a target whose owner the fresh file cannot have.
std::optional<Error> overwrite_by(const FreshFile& fresh, const std::string& target,
                                  std::string_view text, Sync sync) {
  auto error = overwrite(target, text, sync);
  if (error)
    error->message += fmt::format("; {} holds the new text", set_aside(fresh, target, "new"));
  else
    ::unlink(fresh.path.c_str());
  return error;
}

// Whether the file holds this text.
bool holds(const std::string& path, std::string_view text) {
  const auto now = read_text(path, text.size());
  return now && *now == text;
}

// Waits until no program has the file open for writing: the system gives a lease for reading only
// then. False if one keeps it open. Where there are no leases, as for files of another user, true.
bool is_closed_by_writers(const std::string& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  // A program that opens the file during the lease causes a signal. The usual one would end this
  // process.
  ::fcntl(file.get(), F_SETSIG, SIGURG);
  for (int attempt = 0; attempt < most_lease_attempts; ++attempt) {
    if (::fcntl(file.get(), F_SETLEASE, F_RDLCK) == 0) {
      ::fcntl(file.get(), F_SETLEASE, F_UNLCK);
      return true;
    }
    if (errno != EAGAIN) return true;
    std::this_thread::sleep_for(between_lease_attempts);
  }
  return false;
}

Error not_done(const FileUpdate& update, const std::string& also = "") {
  return {fmt::format("{} changed while {} ran; not {}{}", update.path, update.program, update.done,
                      also)};
}

Error is_open(const FileUpdate& update) {
  return {fmt::format("{} is open for writing in another program; close it and run again",
                      update.path)};
}

bool exchange(const std::string& one, const std::string& other) {
  return rename_as(RENAME_EXCHANGE, one, other);
}

// Keeps the signals that usually end a program waiting.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t ending;
    ::sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&ending, signal);
    ::pthread_sigmask(SIG_BLOCK, &ending, &old_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &old_, nullptr); }

 private:
  sigset_t old_ = {};
};

// The file was not there, and another program may make it at any time.
std::optional<Error> create(const FileUpdate& update, const std::string& target,
                            const FreshFile& fresh) {
  if (rename_as(RENAME_NOREPLACE, fresh.path, target)) return std::nullopt;
  if (errno != EEXIST) return take_name(fresh, target, update.path);
  ::unlink(fresh.path.c_str());
  return not_done(update);
}

// Looks at the file after the new one has taken its place, since only then no program can open it
// by its name any more. If it holds an edit, the two change places again. A program that ended in
// between would leave the edit beside its file, without a message.
std::optional<Error> exchange_unless_edited(const FileUpdate& update, const std::string& target,
                                            std::string_view text, const FreshFile& fresh) {
  const BlockedSignals no_end;
  if (!exchange(fresh.path, target)) {
    if (errno != ENOENT) return take_name(fresh, target, update.path);
    ::unlink(fresh.path.c_str());
    return not_done(update);
  }
  const bool is_closed = is_closed_by_writers(fresh.path);
  if (is_closed && holds(fresh.path, *update.before)) {
    ::unlink(fresh.path.c_str());
    return std::nullopt;
  }
  // Another edit may have come to the new file meanwhile; then both stay.
  if (exchange(fresh.path, target) && is_closed_by_writers(fresh.path) && holds(fresh.path, text)) {
    ::unlink(fresh.path.c_str());
    return is_closed ? not_done(update) : is_open(update);
  }
  return not_done(update,
                  fmt::format("; {} holds another edit of it", set_aside(fresh, target, "edited")));
}

}  // namespace

std::optional<Error> write_file(const std::string& path, std::string_view text, Sync sync) {
  struct stat old = {};
  const bool is_there = ::stat(path.c_str(), &old) == 0;
  if (is_there && is_stream(path, old)) return write_into(path, text);
  const auto target = target_of(path);
  if (is_there && ::access(target.c_str(), W_OK) != 0) return cannot_write(path);
  const auto fresh = write_beside(target, is_there ? &old : nullptr, text, sync);
  if (!fresh) return cannot_write(path);
  return fresh->keeps_owner ? take_name(*fresh, target, path)
                            : overwrite_by(*fresh, target, text, sync);
}

std::optional<Error> replace_file(const std::string& path, std::string_view text, Sync sync) {
  const auto fresh = write_beside(path, nullptr, text, sync);
  return fresh ? take_name(*fresh, path, path) : cannot_write(path);
}

Result<std::optional<std::string>> text_before_update(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0 || is_stream(path, status))
    return std::optional<std::string>();
  auto text = read_text(target_of(path), std::numeric_limits<std::size_t>::max() - 1);
  if (!text) return text.error();
  return std::optional(*std::move(text));
}

std::optional<Error> changed_meanwhile(const FileUpdate& update) {
  struct stat now = {};
  const bool is_there = ::stat(update.path.c_str(), &now) == 0;
  if (is_there && is_stream(update.path, now))
    return update.before ? std::optional(not_done(update)) : std::nullopt;
  if (is_there ? update.before && holds(target_of(update.path), *update.before) : !update.before)
    return std::nullopt;
  return not_done(update);
}

std::optional<Error> update_file(const FileUpdate& update, std::string_view text, Sync sync) {
  struct stat old = {};
  const bool is_there = ::stat(update.path.c_str(), &old) == 0;
  if (!is_there && errno != ENOENT) return cannot_write(update.path);
  // A FIFO in the place of the file that was read: writing would wait for a reader.
  if (is_there && is_stream(update.path, old))
    return update.before ? not_done(update) : write_into(update.path, text);
  const auto target = target_of(update.path);
  // Two names of one file: the update of the first was that of the second.
  if (is_there && holds(target, text)) return std::nullopt;
  if (is_there != update.before.has_value()) return not_done(update);
  if (is_there && ::access(target.c_str(), W_OK) != 0) return cannot_write(update.path);
  const auto fresh = write_beside(target, is_there ? &old : nullptr, text, sync);
  if (!fresh) return cannot_write(update.path);
  if (!is_there) return create(update, target, *fresh);
  const bool is_closed = is_closed_by_writers(target);
  if (!is_closed || !holds(target, *update.before)) {
    ::unlink(fresh->path.c_str());
    return is_closed ? not_done(update) : is_open(update);
  }
  return fresh->keeps_owner ? exchange_unless_edited(update, target, text, *fresh)
                            : overwrite_by(*fresh, target, text, sync);
}

}  // namespace msci
