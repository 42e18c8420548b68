#include "lint/analysis/representatives.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/DenseSet.h>

#include <algorithm>

namespace msci {
namespace {

using Instances = llvm::DenseSet<const clang::Decl*>;

Instances first_instances(const clang::FunctionTemplateDecl& functions) {
  Instances first;
  for (const auto* each : functions.specializations()) {
    if (!each->doesThisDeclarationHaveABody()) continue;
    if (first.size() == most_of_one_template) break;
    first.insert(each);
  }
  return first;
}
Instances first_instances(const clang::ClassTemplateDecl& classes) {
  Instances first;
  for (const auto* each : classes.specializations()) {
    if (!each->isCompleteDefinition()) continue;
    if (first.size() == most_of_one_template) break;
    first.insert(each);
  }
  return first;
}

template <typename Template>
bool is_among_first(const Template& all, const clang::Decl& instance, const Unit& unit) {
  const auto& first = unit.cache().get<Instances>(&all, [&] { return first_instances(all); });
  return first.size() < most_of_one_template || first.contains(&instance);
}

}  // namespace

bool is_representative(const clang::Decl& declaration, const Unit& unit) {
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration))
    if (const auto* all = function->getPrimaryTemplate();
        all && function->isTemplateInstantiation())
      return is_among_first(*all, declaration, unit);
  if (const auto* record = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&declaration);
      record && clang::isTemplateInstantiation(record->getSpecializationKind()))
    return is_among_first(*record->getSpecializedTemplate(), declaration, unit);
  return true;
}

const std::vector<Kernel>& representative_kernels(const Unit& unit) {
  return unit.cache().get<std::vector<Kernel>>(&unit, [&] {
    std::vector<Kernel> typical;
    std::copy_if(
        unit.kernels().begin(), unit.kernels().end(), std::back_inserter(typical),
        [&](const Kernel& kernel) { return is_representative(*kernel.declaration, unit); });
    return typical;
  });
}

}  // namespace msci
