#include "base/io/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace msci {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool erases_lines() {
  return ::isatty(STDERR_FILENO) != 0 && !variable("TERM").empty() && variable("TERM") != "dumb";
}

}  // namespace

Colour colour_for(std::string_view choice, bool is_terminal) {
  if (choice != "auto") return choice == "always" ? Colour::ansi : Colour::none;
  if (!variable("NO_COLOR").empty()) return Colour::none;
  for (const auto* name : {"FORCE_COLOR", "CLICOLOR_FORCE"})
    if (!variable(name).empty() && variable(name) != "0") return Colour::ansi;
  return is_terminal && variable("TERM") != "dumb" ? Colour::ansi : Colour::none;
}

TerminalLine::TerminalLine() : can_draw_(erases_lines()) {}

void TerminalLine::draw(std::string_view text) {
  if (!can_draw_) return;
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
  is_drawn_ = true;
}

void TerminalLine::erase() {
  if (is_drawn_) draw("");
  is_drawn_ = false;
}

}  // namespace msci
