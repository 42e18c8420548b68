// Messages framed by their length, as the Language Server Protocol has them.
#pragma once

#include <optional>
#include <string>

#include "lint/metal/result.h"

namespace msci {

constexpr std::size_t longest_frame = std::size_t{64} << 20;

class FrameStream {
 public:
  explicit FrameStream(int descriptor) : descriptor_(descriptor) {}  // stays somebody else's

  int descriptor() const { return descriptor_; }
  bool ended() const { return ended_; }

  // Takes what is there, once the descriptor is readable.
  void receive();
  // A message that is here whole. Errors: what is here is no frame, or one beyond longest_frame;
  // where the next one begins is then unknown.
  std::optional<Result<std::string>> next();

 private:
  int descriptor_;
  std::string incoming_;
  bool ended_ = false;
};

// The text with its length before it.
std::string framed(const std::string& text);

}  // namespace msci
