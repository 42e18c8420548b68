// What the numbers in a buffer are made of, read off the words for its type.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace msci {

// What numbers are made of: float is {true, 4}, uchar and char are {false, 1}. Memory of one kind
// reads as the same kind only.
struct Scalar {
  bool is_floating = false;
  std::size_t bytes = 0;
  bool operator==(const Scalar&) const = default;
};

// The scalar that a type of Metal's or of a host's C++ is made of: "device const float4 *",
// "std::uint32_t", "atomic_uint". None for any other type.
std::optional<Scalar> scalar_of(std::string_view type);
// How many scalars a value has: "float4" → 4.
std::size_t lanes_of(std::string_view type);

}  // namespace msci
