#include "base/io/descriptor.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace msci {
namespace {

template <typename Write>
bool repeat(Write write, std::string_view text) {
  while (!text.empty()) {
    const auto written = write(text);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

bool read_available(int descriptor, std::string& text) {
  char chunk[1 << 16];
  const auto got = ::read(descriptor, chunk, sizeof chunk);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (got <= 0) return false;
  text.append(chunk, static_cast<std::size_t>(got));
  return true;
}

bool write_all(int descriptor, std::string_view text) {
  return repeat([=](auto rest) { return ::write(descriptor, rest.data(), rest.size()); }, text);
}

bool send_all(int socket, std::string_view text) {
  return repeat([=](auto rest) { return ::send(socket, rest.data(), rest.size(), MSG_NOSIGNAL); },
                text);
}

}  // namespace msci
