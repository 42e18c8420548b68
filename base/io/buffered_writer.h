// A non-blocking buffered writer: output waits in memory while its reader is slow.
#pragma once

#include <string>
#include <string_view>

namespace msci {

class BufferedWriter {
 public:
  explicit BufferedWriter(int descriptor) : descriptor_(descriptor) {}  // does not own it

  int descriptor() const { return descriptor_; }
  std::size_t size() const { return text_.size() - written_; }
  bool empty() const { return size() == 0; }
  // Whether the reader closed its end; all output is then discarded.
  bool broken() const { return broken_; }

  void append(std::string_view text) { text_ += text; }
  // Writes what can be written now; call it when poll() reports the descriptor as writable.
  void write_available();

 private:
  int descriptor_;
  std::string text_;
  std::size_t written_ = 0;  // bytes of it
  bool broken_ = false;
};

}  // namespace msci
