#include "compiler/frontend/attributes.h"

#include <map>

namespace msci {

std::span<const MetalAttribute> metal_attributes() {
  using namespace attribute_columns;
  static constexpr MetalAttribute all[] = {
#define MSCI_ATTRIBUTE(name, form, kind, subjects, stages, type, last, excludes, since, meaning) \
  {#name,                                                                                        \
   AttributeForm::form,                                                                          \
   AttributeKind::kind,                                                                          \
   subjects,                                                                                     \
   stages,                                                                                       \
   AttributeType::type,                                                                          \
   last,                                                                                         \
   AttributeGroup::excludes,                                                                     \
   since,                                                                                        \
   0,                                                                                            \
   Position::none,                                                                               \
   meaning},
#define MSCI_POSITION(name, dimensions, numbers, stages, since, meaning) \
  {#name,                                                                \
   AttributeForm::flag,                                                  \
   AttributeKind::position,                                              \
   inputs,                                                               \
   stages,                                                               \
   AttributeType::position,                                              \
   none,                                                                 \
   AttributeGroup::role,                                                 \
   since,                                                                \
   dimensions,                                                           \
   Position::numbers,                                                    \
   meaning},
#include "compiler/frontend/attributes.def"
#undef MSCI_POSITION
#undef MSCI_ATTRIBUTE
  };
  return all;
}

const MetalAttribute* metal_attribute(std::string_view name) {
  static const auto by_name = [] {
    std::map<std::string_view, const MetalAttribute*> map;
    for (const auto& each : metal_attributes()) map.emplace(each.name, &each);
    return map;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

std::optional<PositionAttribute> position_attribute(std::string_view name) {
  static const std::map<std::string_view, PositionAttribute> positions{
#define MSCI_ATTRIBUTE(...)
#define MSCI_POSITION(name, ...) {#name, PositionAttribute::name},
#include "compiler/frontend/attributes.def"
#undef MSCI_POSITION
#undef MSCI_ATTRIBUTE
  };
  const auto found = positions.find(name);
  return found == positions.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace msci
