// Functions that the printed text may call, in OpenCL C.
#pragma once

#include <string_view>

namespace msci {

// The definition of the helper with that name, which must exist.
std::string_view helper_source(std::string_view name);

}  // namespace msci
