// What is still to be written to somebody who may be slow to read.
#pragma once

#include <string>
#include <string_view>

namespace msci {

class Outgoing {
 public:
  explicit Outgoing(int descriptor) : descriptor_(descriptor) {}  // stays somebody else's

  int descriptor() const { return descriptor_; }
  std::size_t size() const { return text_.size() - sent_; }
  bool empty() const { return size() == 0; }
  // Nobody reads any more.
  bool broken() const { return broken_; }

  void put(std::string_view text) { text_ += text; }
  // Sends what can be sent, once the descriptor is writable.
  void send();

 private:
  int descriptor_;
  std::string text_;
  std::size_t sent_ = 0;  // of it
  bool broken_ = false;
};

}  // namespace msci
