#include "base/io/write_all.h"

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

bool write_all(int descriptor, std::string_view text) {
  return repeat([=](auto rest) { return ::write(descriptor, rest.data(), rest.size()); }, text);
}

bool send_all(int socket, std::string_view text) {
  return repeat([=](auto rest) { return ::send(socket, rest.data(), rest.size(), MSG_NOSIGNAL); },
                text);
}

}  // namespace msci
