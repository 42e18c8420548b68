#include "tests/real_kernels/sample.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <algorithm>
#include <map>

#include "compiler/frontend/function_constants.h"

namespace msci {

ConstantValues typical_constants(const Unit& unit, unsigned integer) {
  ConstantValues values;
  for (const auto* each : function_constants(unit)) {
    const auto type = each->getType();
    values[each->getQualifiedNameAsString()] = type->isBooleanType() ? "true"
                                               : type->isRealFloatingType()
                                                   ? "1"
                                                   : std::to_string(integer);
  }
  return values;
}

namespace {

// The template that a kernel is an instantiation of; itself for other kernels.
const clang::Decl* origin_of(const Kernel& kernel) {
  const auto* pattern = kernel.declaration->getTemplateInstantiationPattern();
  return pattern ? pattern : kernel.declaration;
}

}  // namespace

std::vector<std::string> sample(const Unit& unit, std::size_t most) {
  std::map<const clang::Decl*, std::vector<std::string>> by_template;
  std::vector<const clang::Decl*> order;
  for (const auto& kernel : unit.kernels()) {
    auto& names = by_template[origin_of(kernel)];
    if (names.empty()) order.push_back(origin_of(kernel));
    names.push_back(kernel.name);
  }
  std::vector<std::string> chosen;
  for (const auto* each : order) {
    const auto& names = by_template[each];
    const auto count = most == 0 ? names.size() : std::min(most, names.size());
    for (std::size_t i = 0; i < count; ++i) chosen.push_back(names[i * names.size() / count]);
  }
  return chosen;
}

}  // namespace msci
