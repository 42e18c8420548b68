// A temporary folder that is gone when its owner is, however the owner ends.
#pragma once

#include <filesystem>

#include "evaluator/device/channel.h"
#include "lint/metal/result.h"

namespace msci {

// Removed by the destructor; if the process was killed instead, by the next make() of anyone, which
// can tell because the owner holds a lock.
class ScratchFolder {
 public:
  static Result<ScratchFolder> make();
  ScratchFolder(ScratchFolder&&) = default;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder(std::filesystem::path path, Fd lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}
  std::filesystem::path path_;
  Fd lock_;
};

}  // namespace msci
