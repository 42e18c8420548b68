// A line on the terminal that says what a search waits for, and for how long.
#pragma once

#include <string>
#include <string_view>
#include <thread>

#include "base/io/terminal.h"

namespace msci::search {

// Draws "asking the generator, iteration 3 of 10 … 6 s" and counts the seconds. Draws nothing if
// standard error is not a terminal.
class WaitingLine {
 public:
  // Replaces the line; an empty text removes it, so that others can print.
  void show(std::string_view what);

 private:
  TerminalLine line_;
  std::jthread ticker_;
};

}  // namespace msci::search
