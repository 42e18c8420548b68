#include "base/io/buffered_writer.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace msci {

// Written bytes are erased in large pieces, because each time the rest has to move.
constexpr std::size_t erased_at_once = std::size_t{16} << 20;

void BufferedWriter::write_available() {
  // A writable pipe takes this much without blocking.
  const auto size = std::min<std::size_t>(this->size(), PIPE_BUF);
  const auto written = ::write(descriptor_, text_.data() + written_, size);
  if (written < 0 && (errno == EINTR || errno == EAGAIN)) return;
  broken_ = written < 0;
  written_ = broken_ ? text_.size() : written_ + static_cast<std::size_t>(written);
  if (!empty() && written_ < erased_at_once) return;
  text_.erase(0, written_);
  written_ = 0;
}

}  // namespace msci
