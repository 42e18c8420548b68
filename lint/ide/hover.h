// Hover: the name at a place in a source, with its declaration and meaning.
#pragma once

#include <optional>
#include <string>

#include "compiler/frontend/unit.h"

namespace msci {

struct Hover {
  Range range;              // of the name
  std::string name;         // "dot"
  std::string declaration;  // with Metal's types: "float dot(float3 x, float3 y)"
  std::string meaning;      // of a Metal function: "the greater value"; may be empty
  bool is_metals = false;   // declared by the Metal headers, not by the user
  Place place;              // where the user defines it, or declares it
};

// The name at this place; nothing without one, or if Clang cannot resolve it.
std::optional<Hover> hover_at(const Unit& unit, Location location);

}  // namespace msci
