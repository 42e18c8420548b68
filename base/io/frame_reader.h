// A non-blocking buffered reader of messages that a header frames, as in the Language Server
// Protocol.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace msci {

constexpr std::size_t longest_frame = std::size_t{64} << 20;

class FrameReader {
 public:
  explicit FrameReader(int descriptor) : descriptor_(descriptor) {}  // does not own it

  int descriptor() const { return descriptor_; }
  bool ended() const { return ended_; }

  // Reads what is there; call it when poll() reports the descriptor as readable.
  void read_available();
  // The next whole message in the buffer. Errors: a malformed header, or a message longer than
  // longest_frame; the reader cannot find the next message then.
  std::optional<Result<std::string>> next_frame();

 private:
  int descriptor_;
  std::string buffer_;
  bool ended_ = false;
};

// The text behind a header with its length.
std::string to_frame(const std::string& text);

}  // namespace msci
