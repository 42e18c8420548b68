// `#line`: what a source calls the lines behind it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/source.h"

namespace msci {

struct LineDirective {
  unsigned line = 0;    // where it stands
  unsigned number = 0;  // of the next line
  std::string file;     // the name that it gives, or the name before
};

// The directives of a source, by line.
std::vector<LineDirective> line_directives_in(const Source& source);

// The file and the lines that the last directive before a range of the source gives it (Clang's
// presumed location). Columns stay. Nothing without a directive before the range.
std::optional<Place> presumed(const std::vector<LineDirective>& directives, const Range& range);

}  // namespace msci
