// Metal → OpenCL C 1.2: LLVM IR, everything inlined into the kernels and optimised, then printed as
// text.
#pragma once

#include "evaluator/program.h"
#include "lint/metal/result.h"
#include "lint/metal/unit.h"

namespace msci {

// Translates every kernel of a unit that compiled. The same source gives the same bytes. Errors: a
// construct that we cannot express yet, named with its kernel and, where known, its line.
Result<Translation> translate(Unit& unit);

// The same with checks in the text, whose device must be told (Device::build) by the translation:
// it has places, and its kernels have objects.
Result<Translation> translate_checked(Unit& unit);

}  // namespace msci
