// The code that msci makes of kernels, for people to read.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/process/isolated_process.h"
#include "base/result.h"
#include "plan/program.h"

namespace msci {

inline constexpr std::array code_languages = {"opencl", "llvm-ir", "assembly"};

// The kernels of a translation for reading in one of these languages; "assembly" is that of this
// processor. A line ends with a comment that names the line of the source: "// line 12".
// Code is generated in an isolated process. Errors: it exceeds a limit.
Result<std::string> code_text(std::string_view language, const Translation& translation,
                              const Limits& limits);

}  // namespace msci
