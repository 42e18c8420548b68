// How the IR of kernels marks parameters that are values of the host.
#pragma once

namespace msci {

// The attribute of a kernel's parameter for a `constant T&`; its value is the size of T.
constexpr const char* reference_bytes = "msci.reference_bytes";

}  // namespace msci
