// One input through the fuzz target that is linked in.
#pragma once

#include <string>

namespace msci {

// Whether the run ended as it may: by itself, or (run_apart.cpp alone) inside of the compiler.
bool run_input(const std::string& input);

}  // namespace msci
