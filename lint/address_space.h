// How much address space this process has taken.
#pragma once

#include <cstddef>
#include <optional>

namespace msci {

// In bytes, what libraries and drivers reserve and never use included; none where the system does
// not tell (no /proc).
std::optional<std::size_t> address_space_in_use();

}  // namespace msci
