#include "frontend/attributes.h"

#include <map>

namespace msci {
namespace {

constexpr MetalAttribute all[] = {
#define MSCI_ATTRIBUTE(name, form, kind, meaning) \
  {#name, AttributeForm::form, AttributeKind::kind, 0, Position::none, meaning},
#define MSCI_POSITION(name, dimensions, numbers, meaning) \
  {#name, AttributeForm::flag, AttributeKind::position, dimensions, Position::numbers, meaning},
#include "frontend/attributes.def"
#undef MSCI_POSITION
#undef MSCI_ATTRIBUTE
};

}  // namespace

std::span<const MetalAttribute> metal_attributes() { return all; }

const MetalAttribute* metal_attribute(std::string_view name) {
  static const auto by_name = [] {
    std::map<std::string_view, const MetalAttribute*> map;
    for (const auto& each : all) map.emplace(each.name, &each);
    return map;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

std::optional<PositionAttribute> position_attribute(std::string_view name) {
  static const std::map<std::string_view, PositionAttribute> positions{
#define MSCI_ATTRIBUTE(name, form, kind, meaning)
#define MSCI_POSITION(name, dimensions, numbers, meaning) {#name, PositionAttribute::name},
#include "frontend/attributes.def"
#undef MSCI_POSITION
#undef MSCI_ATTRIBUTE
  };
  const auto found = positions.find(name);
  return found == positions.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace msci
