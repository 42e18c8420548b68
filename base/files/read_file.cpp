#include "base/files/read_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/process/run_command.h"

namespace msci {
namespace {

// Closes what it opened, but never standard input.
class File {
 public:
  // O_NONBLOCK: opening a FIFO without a writer would block.
  explicit File(const std::string& path)
      : fd_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (fd_ > STDIN_FILENO) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

Error cannot_read(const std::string& name, std::string_view why) {
  return {fmt::format("cannot read {}: {}", name, why)};
}

std::string size_error(std::size_t limit) {
  return limit % (1 << 20) == 0 ? fmt::format("it is larger than {} MiB", limit >> 20)
                                : fmt::format("it is larger than {} bytes", limit);
}

// Why a file cannot be read; empty if it can. Only regular files have an end that is known.
std::string unsuitable(int fd, std::size_t limit) {
  struct stat status = {};
  if (::fstat(fd, &status) != 0) return std::strerror(errno);
  if (S_ISDIR(status.st_mode)) return "it is a directory";
  if (!S_ISREG(status.st_mode)) return "it is not a regular file";
  if (static_cast<std::size_t>(status.st_size) > limit) return size_error(limit);
  return {};
}

// The contents, up to at least one byte past the limit, so that the caller notices an excess.
template <typename Byte, typename Container>
Result<Container> read_all(int fd, const std::string& name, std::size_t limit) {
  Container contents;
  struct stat status = {};
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
    contents.reserve(std::min(limit, static_cast<std::size_t>(status.st_size)));
  Byte chunk[1 << 16];
  while (contents.size() <= limit) {
    const auto got = ::read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot_read(name, std::strerror(errno));
    if (got == 0) break;
    contents.insert(contents.end(), chunk, chunk + got);
  }
  return contents;
}

// The contents of a regular file, or of standard input for "-".
template <typename Byte, typename Container>
Result<Container> read_file(const std::string& path, std::size_t limit) {
  if (path.empty()) return Error{"a file's name is empty; name a file, or - for standard input"};
  const bool is_stdin = path == "-";
  const std::string name = is_stdin ? "<stdin>" : path;
  const File file(path);
  if (file.fd() < 0)
    return cannot_read(name, errno == ENOENT ? "no such file" : std::strerror(errno));
  if (!is_stdin)
    if (const auto why = unsuitable(file.fd(), limit); !why.empty()) return cannot_read(name, why);
  auto contents = read_all<Byte, Container>(file.fd(), name, limit);
  if (contents && contents->size() > limit) return cannot_read(name, size_error(limit));
  return contents;
}

// Text has no control characters except white space. Comments may hold any encoding.
bool is_text(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](unsigned char c) {
    return c < 0x20 &&
           std::string_view("\t\n\v\f\r").find(static_cast<char>(c)) == std::string_view::npos;
  });
}

// The encoding of a text in UTF-16, as iconv calls it; empty for other contents. Without a mark at
// its start, UTF-16 shows by its zeros: source code has few characters beyond ASCII.
std::string_view utf16_of(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) return "UTF-16";
  if (bytes.size() < 4) return "";
  const auto zeros_from = [&](std::size_t first) {
    std::size_t zeros = 0;
    for (auto at = first; at < bytes.size(); at += 2) zeros += bytes[at] == '\0';
    return zeros;
  };
  const auto even = zeros_from(0);
  const auto odd = zeros_from(1);
  const auto most = bytes.size() / 2;
  if (even == 0 && odd > most * 3 / 4) return "UTF-16LE";
  return odd == 0 && even > most * 3 / 4 ? "UTF-16BE" : "";
}

Error not_text(const std::string& name, std::string_view bytes) {
  const auto encoding = utf16_of(bytes);
  if (encoding.empty())
    return {fmt::format("{} is not text but binary; name the source, not the compiled file", name)};
  return {fmt::format("{} is UTF-16 text; convert it to UTF-8: iconv -f {} -t UTF-8 {}", name,
                      encoding, name == "<stdin>" ? "" : shell_quoted(name))};
}

}  // namespace

Result<Source> read_source(const std::string& path) {
  auto text = read_file<char, std::string>(path, source_size_limit);
  if (!text) return text.error();
  return source_from(path == "-" ? "<stdin>" : path, *std::move(text));
}

Result<std::vector<std::byte>> read_bytes(const std::string& path, std::size_t limit) {
  return read_file<std::byte, std::vector<std::byte>>(path, limit);
}

Result<std::string> read_text(const std::string& path, std::size_t limit) {
  return read_file<char, std::string>(path, limit);
}

Result<Source> source_from(std::string name, std::string text) {
  if (text.size() > source_size_limit) return cannot_read(name, size_error(source_size_limit));
  if (text.empty())
    return Error{fmt::format("{} is empty; write the text into it, or name another file", name)};
  if (!is_text(text)) return not_text(name, text);
  return Source{.name = std::move(name), .text = std::move(text)};
}

}  // namespace msci
