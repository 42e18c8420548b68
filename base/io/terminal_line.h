// A line on the terminal that text replaces and that others can erase.
#pragma once

#include <string_view>

namespace msci {

// The last line of standard error. Draws nothing if that is not a terminal that can erase a line.
// The destructor erases it.
class TerminalLine {
 public:
  TerminalLine();
  ~TerminalLine() { erase(); }
  TerminalLine(const TerminalLine&) = delete;
  TerminalLine& operator=(const TerminalLine&) = delete;

  // Whether draw() does anything.
  bool can_draw() const { return can_draw_; }
  // Replaces the line.
  void draw(std::string_view text);
  // Removes the line so that others can print.
  void erase();

 private:
  bool can_draw_;
  bool is_drawn_ = false;
};

}  // namespace msci
