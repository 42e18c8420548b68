#include "compiler/ir/builtins.h"

#include <llvm/IR/Intrinsics.h>

#include <map>

namespace msci {
namespace {

constexpr std::optional<std::string_view> by_hand = std::nullopt;

// The lane functions by their names. A name in the table that is missing here does not compile.
namespace lane {
constexpr const LaneMath* none = nullptr;
#define MSCI_MATH(...)
#define MSCI_INTRINSIC(...)
#define MSCI_LANE_FUNCTION(name, shape, has_vector_form, ...)                      \
  constexpr LaneMath name##_entry{#name, LaneMath::Shape::shape, has_vector_form}; \
  constexpr const LaneMath* name = &name##_entry;
#include "compiler/ir/builtins.def"
}  // namespace lane

}  // namespace

const Builtin* find_math(std::string_view name) {
  static const std::map<std::string_view, Builtin> functions{
#define MSCI_LANE_FUNCTION(...)
#define MSCI_INTRINSIC(...)
#define MSCI_MATH(name, opencl, function, cost) \
  {#name, {opencl, lane::function, BuiltinCost::cost}},
#include "compiler/ir/builtins.def"
  };
  const auto found = functions.find(name.substr(0, name.rfind('.')));
  return found == functions.end() ? nullptr : &found->second;
}

const Builtin* find_intrinsic(unsigned id) {
  static const std::map<unsigned, Builtin> intrinsics{
#define MSCI_LANE_FUNCTION(...)
#define MSCI_MATH(...)
#define MSCI_INTRINSIC(id, opencl, function, cost) \
  {llvm::Intrinsic::id, {opencl, lane::function, BuiltinCost::cost}},
#include "compiler/ir/builtins.def"
  };
  const auto found = intrinsics.find(id);
  return found == intrinsics.end() ? nullptr : &found->second;
}

std::optional<std::string_view> intrinsic_pattern(unsigned id) {
  const auto* builtin = find_intrinsic(id);
  return builtin ? builtin->opencl : std::nullopt;
}

}  // namespace msci
