// Numbers of Metal's scalar types, as they lie in a buffer.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace msci {

// Bytes of one element of a scalar type; none where Metal has no such type.
std::optional<std::size_t> element_bytes(std::string_view type);
bool is_floating(std::string_view type);
// "float, half, ...".
std::string_view element_types();

// Whether the type can hold the number: floating types any, whole types what is whole, in their
// range, and no further from 0 than 2^53, up to which a double is exact; bool 0 and 1.
bool fits_element(std::string_view type, double value);

// Appends a number that fits, or for a whole type whose whole part does: rounded or cut off to what
// the type can hold.
void put_element(std::string_view type, double value, std::vector<std::byte>& to);
// The element of that number.
double get_element(std::string_view type, std::span<const std::byte> from, std::size_t number);

}  // namespace msci
