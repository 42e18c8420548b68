// A temporary folder that does not outlive its owner for long, however the owner ends.
#pragma once

#include <filesystem>

#include "base/process/fd.h"
#include "base/result.h"

namespace msci {

// The destructor removes the folder, and so do SIGTERM, SIGINT and SIGHUP before they end the
// process (unless it handles or blocks them). If the process was killed first, the next make() of
// any process removes it: the lock of its owner is then free.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make();
  TemporaryFolder(TemporaryFolder&&) = default;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryFolder(std::filesystem::path path, Fd lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}
  std::filesystem::path path_;
  Fd lock_;
};

}  // namespace msci
