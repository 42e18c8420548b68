#include "evaluator/cache.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace msci {
namespace {

namespace fs = std::filesystem;

// At the head of every entry, so that a cut-off or overwritten file is noticed.
struct Header {
  char magic[8] = {'m', 's', 'c', 'i', '-', 'c', '1', '\n'};
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
  bool operator==(const Header& other) const {
    return std::memcmp(this, &other, sizeof *this) == 0;
  }
};

// FNV-1a over words of eight bytes: it guards against damage, not against forgery, at memory speed.
std::uint64_t checksum_of(std::span<const std::byte> contents) {
  std::uint64_t sum = 0xcbf29ce484222325;
  while (!contents.empty()) {
    std::uint64_t word = 0;
    const auto bytes = std::min(contents.size(), sizeof word);
    std::memcpy(&word, contents.data(), bytes);
    sum = (sum ^ word) * 0x100000001b3;
    contents = contents.subspan(bytes);
  }
  return sum;
}

Header header_of(std::span<const std::byte> contents) {
  return {.bytes = contents.size(), .checksum = checksum_of(contents)};
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

// Writes all of it; what went wrong, or nothing.
std::string write(std::FILE* file, std::span<const std::byte> contents) {
  const auto header = header_of(contents);
  if (std::fwrite(&header, sizeof header, 1, file) != 1 ||
      std::fwrite(contents.data(), 1, contents.size(), file) != contents.size() ||
      std::fflush(file) != 0)
    return std::strerror(errno);
  return {};
}

// A file of its own beside the final one, renamed when it is whole.
std::string write_atomically(const fs::path& path, std::span<const std::byte> contents) {
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  if (problem) return problem.message();
  auto temporary = path.string() + ".XXXXXX";
  const int fd = ::mkostemp(temporary.data(), 02000000 /* O_CLOEXEC */);
  if (fd < 0) return std::strerror(errno);
  File file(::fdopen(fd, "wb"));
  auto complaint = write(file.get(), contents);
  file.reset();
  if (complaint.empty()) {
    fs::rename(temporary, path, problem);
    if (problem) complaint = problem.message();
  }
  if (!complaint.empty()) fs::remove(temporary, problem);
  return complaint;
}

}  // namespace

std::optional<fs::path> user_cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && fs::path(cache).is_absolute()) return fs::path(cache) / "msci";
  const char* home = std::getenv("HOME");
  if (home && fs::path(home).is_absolute()) return fs::path(home) / ".cache" / "msci";
  return std::nullopt;
}

std::optional<std::vector<std::byte>> Cache::load(std::string_view name) const {
  if (!folder_) return std::nullopt;
  const auto path = *folder_ / name;
  const File file(std::fopen(path.c_str(), "rbe"));
  Header header;
  if (!file || std::fread(&header, sizeof header, 1, file.get()) != 1) return std::nullopt;
  std::error_code problem;
  if (fs::file_size(path, problem) != sizeof header + header.bytes || problem) return std::nullopt;
  std::vector<std::byte> contents(header.bytes);
  if (std::fread(contents.data(), 1, contents.size(), file.get()) != contents.size())
    return std::nullopt;
  if (header != header_of(contents)) return std::nullopt;
  return contents;
}

void Cache::store(std::string_view name, std::span<const std::byte> contents) {
  if (!folder_) return;
  const auto complaint = write_atomically(*folder_ / name, contents);
  const std::lock_guard lock(mutex_);
  if (!complaint.empty() && complaint_.empty())
    complaint_ = fmt::format("cannot keep results in {} ({}); they are computed again each time",
                             folder_->string(), complaint);
}

std::string Cache::complaint() const {
  const std::lock_guard lock(mutex_);
  return complaint_;
}

}  // namespace msci
