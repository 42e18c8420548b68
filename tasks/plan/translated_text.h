// What the OpenCL C text of a translated program may contain. A driver compiles this text, and a
// driver for processors runs the result with few limits, so a text that reaches more than Metal
// does must not be built.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"

namespace msci {

// The first thing in the text that the translator does not write: inline assembly, a preprocessor
// directive, an attribute or a builtin of the compiler. The error names the line of the text, from
// 1.
[[nodiscard]] std::optional<Error> find_foreign_text(std::string_view text);

}  // namespace msci
