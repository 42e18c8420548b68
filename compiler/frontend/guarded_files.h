// The files that a source may include: regular ones of bounded size below given folders.
#pragma once

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace msci {

// What the compiler asked the disk for.

// The path of a file or folder, whether it exists or not.
struct FileLookup {
  std::string path;
  bool was_read = false;  // not only looked for: it exists, and the source may read it

  auto operator<=>(const FileLookup&) const = default;
};

class Unit;

// What the compiler asked for. With the same source and options, it reads the same as long as these
// stay the same.
std::vector<FileLookup> file_lookups(const Unit& unit);

// Serves files in memory, and files of the disk that lie below one of the folders once all links
// are followed. Any other file does not exist.
class GuardedFiles : public llvm::vfs::FileSystem {
 public:
  explicit GuardedFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory)
      : memory_(std::move(memory)) {}

  // From now on, these files, and files below these folders, can be read. What does not exist is
  // left out.
  void allow(const std::vector<std::string>& paths);
  // From now on, these texts stand for the files of these paths.
  void replace(const std::map<std::string, std::string>& texts);
  // Why the file that a directive names as `name` was not read; nothing where it does not exist.
  std::optional<std::string> refusal_of(const std::string& name);

  // The paths of the disk that were asked for, and whether they were read.
  const std::map<std::string, bool>& lookups() const { return lookups_; }

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine& path, std::error_code& error) override;
  std::error_code setCurrentWorkingDirectory(const llvm::Twine& path) override;
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override;

 private:
  // Whether a path of the disk may be looked at; keeps why not.
  bool is_allowed(const std::string& path);
  // What serves a file that may be read.
  llvm::vfs::FileSystem& server_of(const std::string& path);

  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory_;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk_ = llvm::vfs::getRealFileSystem();
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> unsaved_;  // by the paths asked for
  std::map<std::string, std::string> unsaved_texts_;                 // by canonical path
  std::vector<std::filesystem::path> folders_;                       // canonical; and files
  std::map<std::string, std::string> refusals_;                      // by path
  std::map<std::string, bool> lookups_;
};

}  // namespace msci
