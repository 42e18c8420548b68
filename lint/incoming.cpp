#include "lint/incoming.h"

#include <unistd.h>

#include <cerrno>

namespace msci {

bool receive_from(int descriptor, std::string& text) {
  char chunk[1 << 16];
  const auto got = ::read(descriptor, chunk, sizeof chunk);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (got <= 0) return false;  // one who is gone says nothing more, either
  text.append(chunk, static_cast<std::size_t>(got));
  return true;
}

}  // namespace msci
