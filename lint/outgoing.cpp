#include "lint/outgoing.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace msci {

// What is sent is taken away in large pieces: each time, the rest has to move.
constexpr std::size_t large = std::size_t{16} << 20;

void Outgoing::send() {
  // A pipe that can be written to takes that much at once, so that nobody's slowness stops us.
  const auto size = std::min<std::size_t>(this->size(), PIPE_BUF);
  const auto sent = ::write(descriptor_, text_.data() + sent_, size);
  if (sent < 0 && (errno == EINTR || errno == EAGAIN)) return;
  broken_ = sent < 0;
  sent_ = broken_ ? text_.size() : sent_ + static_cast<std::size_t>(sent);
  if (!empty() && sent_ < large) return;
  text_.erase(0, sent_);
  sent_ = 0;
}

}  // namespace msci
