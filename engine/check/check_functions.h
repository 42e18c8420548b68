// The functions that the generated code of checked kernels calls.
#pragma once

#include "compiler/instrument.h"

namespace msci::engine {

// Their names in generated code, and their addresses.
RuntimeFunctions check_functions();

}  // namespace msci::engine
