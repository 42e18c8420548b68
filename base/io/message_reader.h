// Non-blocking buffered readers of whole messages: lines, or texts that a header frames.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace msci {

// Enough for a source of the largest size as a JSON string.
constexpr std::size_t longest_line = std::size_t{32} << 20;
constexpr std::size_t longest_frame = std::size_t{64} << 20;

// What arrives on a descriptor, until it is a whole message.
class MessageReader {
 public:
  explicit MessageReader(int descriptor) : descriptor_(descriptor) {}  // does not own it

  int descriptor() const { return descriptor_; }
  bool ended() const { return ended_; }

 protected:
  // Returns what arrived.
  std::string receive();

  std::string buffer_;

 private:
  int descriptor_;
  bool ended_ = false;
};

class LineReader : public MessageReader {
 public:
  using MessageReader::MessageReader;

  // Whether to wait for more input: the buffer holds no whole line.
  bool needs_input() const;
  // The input has ended, and next_line() has returned its last line.
  bool at_end() const { return ended() && !too_long_ && buffer_.empty(); }

  // Reads what is there; call it when poll() reports the descriptor as readable.
  void read_available();
  // The next whole line in the buffer, without its end. Errors: a line longer than longest_line;
  // its text is dropped as it arrives.
  std::optional<Result<std::string>> next_line();

 private:
  void drop_line();

  std::size_t line_end_ = std::string::npos;  // of the first line in the buffer
  bool skips_ = false;                        // to the end of a line that is too long
  bool too_long_ = false;                     // next_line() has to report such a line
};

// Messages as in the Language Server Protocol.
class FrameReader : public MessageReader {
 public:
  using MessageReader::MessageReader;

  // Reads what is there; call it when poll() reports the descriptor as readable.
  void read_available() { buffer_ += receive(); }
  // The next whole message in the buffer. Errors: a malformed header, or a message longer than
  // longest_frame; the reader cannot find the next message then.
  std::optional<Result<std::string>> next_frame();
};

// The text behind a header with its length.
std::string to_frame(const std::string& text);

}  // namespace msci
