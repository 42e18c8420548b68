// Functions that generated code calls: those without a vector form, on the lanes of a mask.
#pragma once

#include "compiler/instrument.h"

namespace msci::engine {

// Their names in generated code, and their addresses.
RuntimeFunctions lane_math();

}  // namespace msci::engine
