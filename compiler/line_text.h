// How messages of the compiler name a line.
#pragma once

#include <fmt/format.h>

#include <string>

#include "base/source.h"

namespace msci {

// "line 3", or "line 3 of common.h" in an included file.
inline std::string line_text(const Place& place) {
  const auto line = fmt::format("line {}", place.range.begin.line);
  return place.file.empty() ? line : fmt::format("{} of {}", line, place.file);
}

}  // namespace msci
