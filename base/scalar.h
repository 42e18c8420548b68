// The scalar type of the elements of a buffer, from the text of its type.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace msci {

// A scalar type: float is {true, 4}, uchar and char are {false, 1}. Memory must be read as the type
// with which it was written.
struct Scalar {
  bool is_floating = false;
  std::size_t bytes = 0;
  bool operator==(const Scalar&) const = default;
};

// The scalar of a type of Metal or C++: "device const float4 *", "std::uint32_t", "atomic_uint".
// Nothing for other types.
std::optional<Scalar> scalar_of(std::string_view type);
// How many scalars a value has: "float4" → 4.
std::size_t lanes_of(std::string_view type);
// The bytes of a value of such a type in Metal: 16 of "uint3", 12 of "packed_uint3".
std::optional<std::size_t> value_bytes(std::string_view type);
// The bytes of the value that a contract's type stands for: of "constant packed_uint3 &", of
// "uint", and 20 of "constant struct of 20 bytes &"; none of pointers.
std::optional<std::size_t> bound_value_bytes(std::string_view type);

}  // namespace msci
