// What a kernel takes from buffers, in words in which it can be compared with what is bound.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/argument_kind.h"
#include "base/scalar.h"
#include "compiler/frontend/unit.h"

namespace msci {

// A member of a struct, as Metal lays it out.
struct ArgumentMember {
  std::string name;
  std::size_t offset = 0;
  std::string spelling;  // of its type: "float3"
};

// A parameter that takes a buffer, with the index of its [[buffer(n)]] or the one that Metal gives
// it.
struct BufferArgument {
  unsigned index = 0;
  std::string name;
  const clang::ParmVarDecl* parameter = nullptr;
  bool is_reference = false;            // one value rather than an array of them
  bool is_conditional = false;          // a function constant says whether it exists
  bool is_writable = false;             // device memory that the kernel may write
  std::optional<std::size_t> bytes;     // of one element, where it is complete
  std::optional<Scalar> scalar;         // what its numbers are made of; none for structs
  std::string spelling;                 // of the element: "float4"
  std::vector<ArgumentMember> members;  // of an element that is a struct; else empty
};

// One [[texture(n)]] or [[sampler(n)]] parameter.
struct TextureArgument {
  ArgumentKind kind = ArgumentKind::texture;
  unsigned index = 0;
  const clang::ParmVarDecl* parameter = nullptr;
  std::string spelling;  // of the type: "texture2d<float>"
};

// Those of a kernel, by position. A parameter that is an array of textures has its first index.
std::vector<TextureArgument> texture_arguments(const Kernel& kernel, const Unit& unit);
// Leaves out parameters without an index where another one takes an index in a way that is not
// followed.
std::vector<BufferArgument> buffer_arguments(const Kernel& kernel, const Unit& unit);

}  // namespace msci
