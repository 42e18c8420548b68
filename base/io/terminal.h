// Colours of text output, and a line of the terminal that text replaces and that others can erase.
#pragma once

#include <string_view>

namespace msci {

enum class Colour { none, ansi };

// By --color ("auto", "always" or "never"); for "auto" by the environment, as no-color.org,
// force-color.org and bixense.com/clicolors say: NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE.
// Otherwise colours are for terminals, unless TERM is "dumb".
Colour colour_for(std::string_view choice, bool is_terminal);

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
