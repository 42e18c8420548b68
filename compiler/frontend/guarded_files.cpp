#include "compiler/frontend/guarded_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files/path_patterns.h"
#include "compiler/frontend/unit/unit_impl.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// More than any header has; a file of this size takes a second to read.
constexpr std::uintmax_t most_bytes = 16u << 20;

// Metal's own headers, and the source.
bool is_ours(std::string_view path) { return path == "/metal" || path.starts_with("/metal/"); }

// What speaks against reading it as a header, whatever folder it lies in.
std::optional<std::string> unreadable(const fs::path& file) {
  std::error_code error;
  const auto status = fs::status(file, error);
  if (fs::is_directory(status)) return "it is a folder";
  if (!fs::is_regular_file(status)) return "it is not a regular file";
  if (const auto size = fs::file_size(file, error); error || size > most_bytes)
    return fmt::format("it is larger than {} MiB", most_bytes >> 20);
  return std::nullopt;
}

}  // namespace

std::vector<FileLookup> file_lookups(const Unit& unit) {
  const auto& disk = unit.impl().disk;
  if (!disk) return {};
  std::vector<FileLookup> lookups;
  for (const auto& [path, was_read] : disk->lookups()) lookups.push_back({path, was_read});
  return lookups;
}

void GuardedFiles::allow(const std::vector<std::string>& paths) {
  for (const auto& path : paths) {
    std::error_code error;
    auto canonical = fs::canonical(path.empty() ? "." : path, error);
    if (!error) folders_.push_back(std::move(canonical));
  }
}

void GuardedFiles::replace(const std::map<std::string, std::string>& texts) {
  for (const auto& [path, text] : texts) {
    std::error_code error;
    const auto canonical = fs::canonical(path, error);
    if (!error) unsaved_texts_.insert_or_assign(canonical.string(), text);
  }
}

// A file of the same name in memory, so that the compiler sees the path that it asked for.
llvm::vfs::FileSystem& GuardedFiles::server_of(const std::string& path) {
  if (unsaved_texts_.empty()) return *disk_;
  std::error_code error;
  const auto found = unsaved_texts_.find(fs::canonical(path, error).string());
  if (error || found == unsaved_texts_.end()) return *disk_;
  if (!unsaved_) unsaved_ = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  unsaved_->addFile(fs::absolute(path, error).string(), 0,
                    llvm::MemoryBuffer::getMemBuffer(found->second, path));
  return *unsaved_;
}

bool GuardedFiles::is_allowed(const std::string& path) {
  if (folders_.empty()) return false;
  lookups_.try_emplace(path, false);
  std::error_code error;
  const auto canonical = fs::canonical(path, error);
  if (error) return false;
  const bool below = std::any_of(folders_.begin(), folders_.end(), [&](const fs::path& folder) {
    return is_below(canonical, folder);
  });
  if (fs::is_directory(canonical, error)) {
    refusals_.emplace(path, "it is a folder");
    // Clang does not ask for a file of a folder that it cannot see.
    return below || std::any_of(folders_.begin(), folders_.end(), [&](const fs::path& allowed) {
             return is_below(allowed, canonical);
           });
  }
  auto why = below ? unreadable(canonical)
                   : std::optional<std::string>("it lies outside of the source's folders");
  if (!why) return true;
  refusals_[path] = *std::move(why);
  return false;
}

std::optional<std::string> GuardedFiles::refusal_of(const std::string& name) {
  // Clang does not ask for a file of a folder that it cannot see.
  if (fs::path(name).is_absolute()) is_allowed(name);
  for (const auto& [path, why] : refusals_)
    if (path == name || path.ends_with(fmt::format("/{}", name))) return why;
  return std::nullopt;
}

llvm::ErrorOr<llvm::vfs::Status> GuardedFiles::status(const llvm::Twine& path) {
  const auto text = path.str();
  if (is_ours(text)) return memory_->status(path);
  // The compiler asks for the current folder before any file can be read, and remembers the answer.
  if (text == ".") return disk_->status(path);
  if (!is_allowed(text)) return std::make_error_code(std::errc::no_such_file_or_directory);
  return server_of(text).status(path);
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> GuardedFiles::openFileForRead(
    const llvm::Twine& path) {
  const auto text = path.str();
  if (is_ours(text)) return memory_->openFileForRead(path);
  if (!is_allowed(text)) return std::make_error_code(std::errc::no_such_file_or_directory);
  lookups_[text] = true;
  return server_of(text).openFileForRead(path);
}

llvm::vfs::directory_iterator GuardedFiles::dir_begin(const llvm::Twine& path,
                                                      std::error_code& error) {
  return memory_->dir_begin(path, error);
}
std::error_code GuardedFiles::setCurrentWorkingDirectory(const llvm::Twine& path) {
  return disk_->setCurrentWorkingDirectory(path);
}
llvm::ErrorOr<std::string> GuardedFiles::getCurrentWorkingDirectory() const {
  return disk_->getCurrentWorkingDirectory();
}

}  // namespace msci
