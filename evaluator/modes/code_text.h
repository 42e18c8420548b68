// The code that msci makes of kernels, for people to read.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/process/isolated_process.h"
#include "base/result.h"
#include "tasks/plan/program.h"

namespace msci {

inline constexpr std::array code_languages = {"opencl", "llvm-ir", "assembly", "apple"};

// The kernels of a translation for reading in one of these languages; "assembly" is that of this
// processor, "apple" and "apple-m2" that of an M1 and an M2 (apple_code.h). A line ends with a
// comment that names the line of the source: "// line 12". Code is generated in isolated processes.
// Errors: it exceeds a limit; those of apple_code.h.
Result<std::string> code_text(std::string_view language, const Translation& translation,
                              const Limits& limits);

}  // namespace msci
