// The address space of this process.
#pragma once

#include <cstddef>
#include <optional>

namespace msci {

// In bytes, including what libraries and drivers reserve and never use; nothing without /proc.
std::optional<std::size_t> address_space_in_use();

}  // namespace msci
