#include "base/io/terminal_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace msci {
namespace {

bool erases_lines() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && kind && std::string_view(kind) != "dumb";
}

}  // namespace

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
