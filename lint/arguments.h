// What a kernel takes from buffers, in words in which it can be compared with what is bound.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/metal/unit.h"

namespace msci {

// What numbers are made of: float is {true, 4}, uchar and char are {false, 1}. Memory of one kind
// reads as the same kind only.
struct Scalar {
  bool is_floating = false;
  std::size_t bytes = 0;
  bool operator==(const Scalar&) const = default;
};

// One [[buffer(n)]] parameter.
struct BufferArgument {
  unsigned index = 0;
  std::string name;
  const clang::ParmVarDecl* parameter = nullptr;
  bool is_reference = false;         // one value rather than an array of them
  bool is_writable = false;          // device memory that the kernel may write
  std::optional<std::size_t> bytes;  // of one element, where it is complete
  std::optional<Scalar> scalar;      // what its numbers are made of; none for structs
  std::string spelling;              // of the element: "float4"
};

// Those of a kernel, by position.
std::vector<BufferArgument> buffer_arguments(const Kernel& kernel, const Unit& unit);

// The scalar that a type of Metal's or of a host's C++ is made of: "device const float4 *",
// "std::uint32_t", "atomic_uint". None for any other type.
std::optional<Scalar> scalar_of(std::string_view type);
// How many scalars a value has: "float4" → 4.
std::size_t lanes_of(std::string_view type);

}  // namespace msci
