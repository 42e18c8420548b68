// What is known of the attributes of the Metal language.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace msci {

// What follows an attribute's name in its parentheses.
enum class AttributeForm { flag, value, words };

// Whether an attribute gives the index by which a host binds an argument, the position of a thread
// or a size of the grid, or something else.
enum class AttributeKind { other, location, position };

// A position by what it numbers. `threadgroup` is the one that is the same for all threads of a
// threadgroup.
enum class Position { none, in_grid, in_threadgroup, lane, simdgroup, threadgroup };

struct MetalAttribute {
  std::string_view name;
  AttributeForm form = AttributeForm::flag;
  AttributeKind kind = AttributeKind::other;
  unsigned dimensions = 0;  // of a position: 1, or 3 if it may be a vector
  Position numbers = Position::none;
  std::string_view meaning;  // of an attribute that compute kernels have; else empty
};

// All of them, in the order of frontend/attributes.def.
std::span<const MetalAttribute> metal_attributes();

// The attribute of this name, or null.
const MetalAttribute* metal_attribute(std::string_view name);

// The attributes that are positions.
enum class PositionAttribute {
#define MSCI_ATTRIBUTE(name, form, kind, meaning)
#define MSCI_POSITION(name, dimensions, numbers, meaning) name,
#include "frontend/attributes.def"
#undef MSCI_POSITION
#undef MSCI_ATTRIBUTE
};
std::optional<PositionAttribute> position_attribute(std::string_view name);

}  // namespace msci
