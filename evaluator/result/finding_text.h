// Findings as lines of text, with colours on a terminal. Names and messages may come from a hostile
// source: they are printed without control characters.
#pragma once

#include <fmt/color.h>

#include <string>

#include "base/diagnostic.h"

namespace msci {

struct Paint {
  bool on = false;
  std::string operator()(std::string text, fmt::terminal_color color) const {
    return on ? fmt::format(fmt::fg(color), "{}", text) : text;
  }
};

// A finding of lint on one line.
std::string line_of(const Diagnostic& finding, const std::string& file);

// A finding with its notes, a line each. Its severity is painted.
std::string text_of(const Diagnostic& finding, const std::string& file, Paint paint);

}  // namespace msci
