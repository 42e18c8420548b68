// One input through the fuzz target that is linked in.
#pragma once

#include <string>

namespace msci {

// Whether the run ended as it may: by itself, or (run_isolated.cpp alone) inside of the compiler.
bool run_input(const std::string& input);

}  // namespace msci
