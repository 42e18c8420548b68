#include "base/process/temporary_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "msci-worker-";

Fd open_folder(const fs::path& path) {
  return Fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
}

bool lock(const Fd& folder) { return ::flock(folder.get(), LOCK_EX | LOCK_NB) == 0; }

// A folder that was just made and not yet locked must not look abandoned.
bool is_old(const Fd& folder) {
  struct stat status = {};
  return ::fstat(folder.get(), &status) == 0 && status.st_uid == ::getuid() &&
         ::time(nullptr) - status.st_mtime > 60;
}

// Removes what owners left behind that were killed.
void sweep(const fs::path& where) {
  std::error_code ignored;  // what cannot be removed now is left for the next time
  for (const auto& entry : fs::directory_iterator(where, ignored)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    const auto folder = open_folder(entry.path());
    if (folder && is_old(folder) && lock(folder)) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::make() {
  std::error_code problem;
  const auto where = fs::temp_directory_path(problem);
  if (problem)
    return Error{fmt::format("no folder for temporary files: {}; set TMPDIR", problem.message())};
  sweep(where);
  auto path = (where / prefix).string() + "XXXXXX";
  if (!::mkdtemp(path.data()))
    return Error{fmt::format("cannot make a temporary folder in {}: {}; set TMPDIR", where.string(),
                             std::strerror(errno))};
  auto folder = open_folder(path);
  if (!folder || !lock(folder)) return Error{fmt::format("cannot lock {}", path)};
  return TemporaryFolder(path, std::move(folder));
}

TemporaryFolder::~TemporaryFolder() {
  if (!lock_) return;  // moved from
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace msci
