// The machine's memory, and the address space of this process.
#pragma once

#include <cstddef>
#include <optional>

namespace msci {

// In bytes, including what libraries and drivers reserve and never use; nothing without /proc.
std::optional<std::size_t> address_space_in_use();

// Of these, what the process may write and shares with no other; nothing without /proc.
std::optional<std::size_t> data_in_use();

// The machine's memory in bytes.
std::size_t physical_memory();

}  // namespace msci
