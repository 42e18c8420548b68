// A first plan for a kernel, from its signature: what a user fills in instead of writing it.
#pragma once

#include <string>

#include "base/result.h"
#include "base/source.h"
#include "tasks/plan/program.h"

namespace msci {

// A plan file (docs/plan_file.md) that launches the kernels of the source in their order, once
// each. Buffers have the types of the parameters; what a kernel may not write holds random numbers,
// and what it may write is a result. A scalar that is passed by reference is an extent of the grid.
// The expected results come from reference.py, the text of reference_scaffold(). Errors: no kernel,
// or a parameter that no rule fits.
Result<std::string> plan_scaffold(const Source& source, const Translation& translation);

// A Python program for that plan, in which the user writes the computation.
Result<std::string> reference_scaffold(const Source& source, const Translation& translation);

}  // namespace msci
