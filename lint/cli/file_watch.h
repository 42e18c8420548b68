// Waits for changes of files, for msci-lint --watch.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "base/process/fd.h"
#include "base/result.h"

namespace msci {

class FileWatch {
 public:
  // Errors: the system has no inotify left.
  static Result<FileWatch> open();

  // From now on, watches the folder of this file, or a folder itself; it need not exist.
  void add(const std::string& path);

  // Waits until a file that was added, another .metal file beside one, or a configuration changes,
  // and until the changes pause. False at SIGINT or SIGTERM. Calls `announce` when these signals
  // end the wait from then on; before, they end the process.
  bool wait(const std::function<void()>& announce);

 private:
  explicit FileWatch(Fd inotify) : inotify_(std::move(inotify)) {}
  // Reads what has happened; whether it matters.
  bool read_events();

  Fd inotify_;
  std::set<std::string> names_;  // of the files that were added, without their folders
  std::map<int, std::filesystem::path> folders_;  // by the number of their watch
};

}  // namespace msci
