// Lines from somebody, where neither side may keep the other waiting.
#pragma once

#include <optional>
#include <string>

namespace msci {

// A source of the largest size, as a JSON string.
constexpr std::size_t longest_line = std::size_t{32} << 20;

class LineStream {
 public:
  explicit LineStream(int descriptor) : descriptor_(descriptor) {}  // stays somebody else's

  int descriptor() const { return descriptor_; }
  // Whether it is worth to wait for more of the other side's words: no whole line is here.
  bool wants_more() const;
  // Nothing comes any more, and the last line is taken.
  bool ended() const { return ended_ && !too_long_ && incoming_.empty(); }

  // Takes what is there, once the descriptor is readable.
  void receive();
  // A line that is here, without its end. One that was longer than longest_line comes as nothing
  // inside; its text is dropped as it arrives.
  std::optional<std::optional<std::string>> next();

 private:
  void drop_line();

  int descriptor_;
  std::string incoming_;
  std::size_t line_end_ = std::string::npos;  // of the first line in it
  bool skips_ = false;                        // up to the end of a line that was too long
  bool too_long_ = false;                     // and next() has still to tell of it
  bool ended_ = false;
};

}  // namespace msci
