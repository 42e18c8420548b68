// A non-blocking buffered reader of lines.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace msci {

// Enough for a source of the largest size as a JSON string.
constexpr std::size_t longest_line = std::size_t{32} << 20;

class LineReader {
 public:
  explicit LineReader(int descriptor) : descriptor_(descriptor) {}  // does not own it

  int descriptor() const { return descriptor_; }
  // Whether to wait for more input: the buffer holds no whole line.
  bool needs_input() const;
  // The input has ended, and next_line() has returned its last line.
  bool at_end() const { return ended_ && !too_long_ && buffer_.empty(); }

  // Reads what is there; call it when poll() reports the descriptor as readable.
  void read_available();
  // The next whole line in the buffer, without its end. Errors: a line longer than longest_line;
  // its text is dropped as it arrives.
  std::optional<Result<std::string>> next_line();

 private:
  void drop_line();

  int descriptor_;
  std::string buffer_;
  std::size_t line_end_ = std::string::npos;  // of the first line in the buffer
  bool skips_ = false;                        // to the end of a line that is too long
  bool too_long_ = false;                     // next_line() has to report such a line
  bool ended_ = false;
};

}  // namespace msci
