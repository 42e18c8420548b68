#include "base/files/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace msci {
namespace {

namespace fs = std::filesystem;

// At the start of every entry, to detect truncated and overwritten files.
struct EntryHeader {
  char magic[8] = {'m', 's', 'c', 'i', '-', 'c', '1', '\n'};
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
  bool operator==(const EntryHeader& other) const {
    return std::memcmp(this, &other, sizeof *this) == 0;
  }
};

// FNV-1a over words of eight bytes: it detects damage, not forgery, at the speed of memory.
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

EntryHeader header_of(std::span<const std::byte> contents) {
  return {.bytes = contents.size(), .checksum = checksum_of(contents)};
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using Stream = std::unique_ptr<std::FILE, Close>;

// Writes header and contents; returns the error, or an empty string.
std::string write(std::FILE* file, std::span<const std::byte> contents) {
  const auto header = header_of(contents);
  if (std::fwrite(&header, sizeof header, 1, file) != 1 ||
      std::fwrite(contents.data(), 1, contents.size(), file) != contents.size() ||
      std::fflush(file) != 0)
    return std::strerror(errno);
  return {};
}

// Writes a temporary file beside the final one, then renames it.
std::string write_atomically(const fs::path& path, std::span<const std::byte> contents) {
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  if (problem) return problem.message();
  auto temporary = path.string() + ".XXXXXX";
  const int fd = ::mkostemp(temporary.data(), 02000000 /* O_CLOEXEC */);
  if (fd < 0) return std::strerror(errno);
  Stream file(::fdopen(fd, "wb"));
  auto error = write(file.get(), contents);
  file.reset();
  if (error.empty()) {
    fs::rename(temporary, path, problem);
    if (problem) error = problem.message();
  }
  if (!error.empty()) fs::remove(temporary, problem);
  return error;
}

struct Entry {
  fs::path path;
  fs::file_time_type used;
  std::uintmax_t bytes = 0;
};

// Files that another process removes meanwhile are left out.
std::vector<Entry> entries_below(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    if (!at->is_regular_file(gone)) continue;
    Entry entry{at->path(), at->last_write_time(gone), at->file_size(gone)};
    if (!gone) entries.push_back(std::move(entry));
  }
  return entries;
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
  std::error_code problem;
  if (!fs::is_regular_file(path, problem)) return std::nullopt;  // opening a FIFO would block
  const Stream file(std::fopen(path.c_str(), "rbe"));
  EntryHeader header;
  if (!file || std::fread(&header, sizeof header, 1, file.get()) != 1) return std::nullopt;
  if (fs::file_size(path, problem) != sizeof header + header.bytes || problem) return std::nullopt;
  std::vector<std::byte> contents(header.bytes);
  if (std::fread(contents.data(), 1, contents.size(), file.get()) != contents.size())
    return std::nullopt;
  if (header != header_of(contents)) return std::nullopt;
  return contents;
}

void Cache::store(std::string_view name, std::span<const std::byte> contents) {
  if (!folder_) return;
  const auto error = write_atomically(*folder_ / name, contents);
  const std::lock_guard lock(mutex_);
  if (!error.empty() && first_error_.empty())
    first_error_ = fmt::format("cannot keep results in {} ({}); they are computed again each time",
                               folder_->string(), error);
}

void Cache::remove(std::string_view name) {
  std::error_code none;
  if (folder_) fs::remove(*folder_ / name, none);
}

void Cache::touch(std::string_view name) const {
  std::error_code none;
  if (folder_) fs::last_write_time(*folder_ / name, fs::file_time_type::clock::now(), none);
}

Cache::Usage Cache::usage(std::string_view subfolder) const {
  Usage usage;
  if (!folder_) return usage;
  for (const auto& entry : entries_below(*folder_ / subfolder)) {
    ++usage.entries;
    usage.bytes += entry.bytes;
  }
  return usage;
}

void Cache::trim(std::string_view subfolder, std::uintmax_t most_bytes) {
  if (!folder_) return;
  auto left = usage(subfolder).bytes;
  if (left <= most_bytes && most_bytes > 0) return;
  auto entries = entries_below(*folder_ / subfolder);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  std::error_code none;  // another process may have removed it
  for (const auto& entry : entries) {
    if (left <= most_bytes && most_bytes > 0) return;
    fs::remove(entry.path, none);
    left -= std::min(left, entry.bytes);
  }
}

std::string Cache::first_error() const {
  const std::lock_guard lock(mutex_);
  return first_error_;
}

}  // namespace msci
