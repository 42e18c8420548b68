// What Clang knows of a place in a source that somebody points at.
#pragma once

#include <optional>
#include <string>

#include "lint/metal/unit.h"

namespace msci {

struct Insight {
  Range range;              // of the name that stands there
  std::string name;         // "dot"
  std::string declaration;  // in Metal's words: "float dot(float3 x, float3 y)"
  std::string meaning;      // of what is Metal's: "the greater value"; empty: nobody wrote it down
  bool is_metals = false;   // declared by the Metal headers, not by the user
  std::optional<Range> place;  // where the user defines it, or at least declares it
};

// Of the name at this place; nothing where none stands there, or Clang does not know what it means.
std::optional<Insight> insight_at(const Unit& unit, Location location);

}  // namespace msci
