// The code that this processor runs, for people to read.
#pragma once

#include <string>

#include "base/result.h"
#include "tasks/plan/program.h"

namespace msci {

// Assembly of the kernels of a translation, for threadgroups of any shape and for buffers of which
// no two are the same. Of a translation for reading, instructions name their lines: "# line 12".
// Errors: LLVM cannot generate code for this processor.
Result<std::string> assembly_of(const Translation& translation);

}  // namespace msci
