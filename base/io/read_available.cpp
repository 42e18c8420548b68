#include "base/io/read_available.h"

#include <unistd.h>

#include <cerrno>

namespace msci {

bool read_available(int descriptor, std::string& text) {
  char chunk[1 << 16];
  const auto got = ::read(descriptor, chunk, sizeof chunk);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (got <= 0) return false;
  text.append(chunk, static_cast<std::size_t>(got));
  return true;
}

}  // namespace msci
