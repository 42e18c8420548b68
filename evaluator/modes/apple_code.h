// Machine code of Apple's GPUs for the kernels of a translation.
#pragma once

#include <string>

#include "base/process/isolated_process.h"
#include "base/result.h"
#include "compiler/mesa/mesa_compiler.h"
#include "tasks/plan/program.h"

namespace msci {

// The kernels of a translation for reading, compiled by Mesa, with the lines of the source. Errors:
// Mesa's compiler is not installed, or does not start.
Result<CompiledByMesa> apple_code_of(const Translation& translation, const AppleGpu& gpu,
                                     const Limits& limits);

// The code as text: a line ends with a comment that names the line of the source: "// line 12".
// Errors: no kernel could be compiled.
Result<std::string> to_text(const CompiledByMesa& compiled);

}  // namespace msci
