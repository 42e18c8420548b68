// What is known of the attributes of the Metal language.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace msci {

// What follows an attribute's name in its parentheses.
enum class AttributeForm { flag, value, text, words };

// Whether an attribute gives the index by which a host binds an argument, the position of a thread
// or a size of the grid, or something else.
enum class AttributeKind { other, location, position };

// A position by what it numbers. `threadgroup` is the one that is the same for all threads of a
// threadgroup.
enum class Position { none, in_grid, in_threadgroup, lane, simdgroup, threadgroup };

// What may have an attribute, and the functions whose parameters may: sets of bits.
namespace attribute_columns {
constexpr unsigned functions = 1, inputs = 2, members = 4, anything = 7;
constexpr unsigned kernel = 1, vertex = 2, fragment = 4, object = 8, mesh = 16, intersection = 32,
                   grids = kernel | object | mesh, any_stage = 63, no_stage = 0;
constexpr int none = -1;
}  // namespace attribute_columns

// What has an attribute: an unsigned number of 16 or 32 bits (index), of 32 (word), numbers and
// vectors, what a host binds at an index.
enum class AttributeType {
  any,
  boolean,
  index,
  word,
  position,  // an index, or a vector of them
  real,      // float
  reals,     // float to float3
  float2,
  float4,
  number,    // a scalar or a vector
  constant,  // what a host can give a value when it builds a pipeline: a scalar or a vector
  record,
  buffer,
  texture,
  sampler,
  threadgroup
};

// A declaration has one attribute of such a group at most.
enum class AttributeGroup { nothing, stage, role };

struct MetalAttribute {
  std::string_view name;
  AttributeForm form = AttributeForm::flag;
  AttributeKind kind = AttributeKind::other;
  unsigned subjects = attribute_columns::anything;
  unsigned stages = attribute_columns::any_stage;
  AttributeType type = AttributeType::any;
  int last = attribute_columns::none;  // the greatest index
  AttributeGroup excludes = AttributeGroup::nothing;
  unsigned since = 0;       // the first version of Metal
  unsigned dimensions = 0;  // of a position: 1, or 3 if it may be a vector
  Position numbers = Position::none;
  std::string_view meaning;  // of an attribute that compute kernels have; else empty
};

// All of them, in the order of compiler/frontend/attributes.def.
std::span<const MetalAttribute> metal_attributes();

// The attribute of this name, or null.
const MetalAttribute* metal_attribute(std::string_view name);

// The attributes that are positions.
enum class PositionAttribute {
#define MSCI_ATTRIBUTE(...)
#define MSCI_POSITION(name, ...) name,
#include "compiler/frontend/attributes.def"
#undef MSCI_POSITION
#undef MSCI_ATTRIBUTE
};
std::optional<PositionAttribute> position_attribute(std::string_view name);

}  // namespace msci
