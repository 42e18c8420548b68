// Functions that generated code calls: those without a vector form, on the lanes of a mask.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace msci::engine {

// Their names in generated code, and their addresses.
std::vector<std::pair<std::string, void*>> lane_math();

}  // namespace msci::engine
