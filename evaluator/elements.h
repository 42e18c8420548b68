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

// Appends a number, rounded or cut off to what the type can hold; exact below 2^53.
void put_element(std::string_view type, double value, std::vector<std::byte>& to);
// The element of that number.
double get_element(std::string_view type, std::span<const std::byte> from, std::size_t number);

}  // namespace msci
