// A progress line on the terminal.
#pragma once

#include <string_view>

#include "base/io/terminal.h"

namespace msci {

// Draws "[####----] 5/12 fft3d 64cube" on standard error and erases it at its end. Draws nothing if
// standard error is not a terminal.
class Progress {
 public:
  explicit Progress(std::size_t steps) : steps_(steps) {}

  // Shows the current activity, which is part of the step after those done.
  void show(std::string_view activity);
  void step_done() { ++done_; }
  // Removes the line so that others can print; the next show() draws it again.
  void erase() { line_.erase(); }

 private:
  std::size_t steps_;
  std::size_t done_ = 0;
  TerminalLine line_;
};

}  // namespace msci
