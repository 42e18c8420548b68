#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lint/analysis/expressions.h"
#include "lint/ide/declarations.h"
#include "lint/ide/features.h"

namespace msci {
namespace {

// Behind the name of a declaration; nowhere unless the source itself has the name there.
Location behind_name(const clang::NamedDecl& declaration, const Unit& unit) {
  const auto place = declaration.getLocation();
  if (place.isMacroID() || !unit.is_users(place)) return {};
  const auto name = unit.locate(place);
  if (!name.file.empty() || unit.text(name) != declaration.getNameAsString()) return {};
  return name.range.end;
}

class Autos : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Autos(const Unit& unit) : unit_(unit) { ShouldVisitTemplateInstantiations = true; }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    const auto* written = variable->getTypeSourceInfo();
    if (!written || !variable->getDeclName().isIdentifier() || variable->getName().empty())
      return true;
    const auto is_auto = written->getType()->getContainedAutoType();
    if (!is_auto || variable->isInvalidDecl()) return true;
    const auto type = variable->getType();
    if (type->isDependentType() || type->isUndeducedType() || type->containsErrors()) return true;
    if (const auto place = behind_name(*variable, unit_); place.line != 0)
      types_[place].insert(type_name(type));
    return true;
  }

  // Instances of a template can differ in a type: then the source has no hint there.
  std::vector<InlayHint> hints() const {
    std::vector<InlayHint> hints;
    for (const auto& [place, types] : types_)
      if (types.size() == 1)
        hints.push_back(
            {.place = place, .text = fmt::format(": {}", *types.begin()), .is_type = true});
    return hints;
  }

 private:
  const Unit& unit_;
  std::map<Location, std::set<std::string>> types_;
};

struct Argument {
  const clang::ParmVarDecl* parameter = nullptr;
  std::string kind;  // "buffer" or "threadgroup"
  std::optional<std::int64_t> index;
};

// The arguments that a host binds by index; nothing if a kernel has one whose kind we cannot tell,
// which may take an index, too.
std::optional<std::vector<Argument>> indexed_arguments(const Kernel& kernel, const Unit& unit) {
  std::vector<Argument> arguments;
  for (const auto* parameter : kernel.declaration->parameters()) {
    const auto type = parameter->getType();
    if (type->isDependentType() || type->containsErrors() || parameter->isInvalidDecl())
      return std::nullopt;
    if (!type->isPointerType() && !type->isReferenceType()) {
      if (const auto place = unit.attribute(*parameter, "buffer"); place && place->value)
        arguments.push_back({parameter, "buffer", place->value});
      else if (type->getAsCXXRecordDecl() && unit.attributes(*parameter).empty())
        return std::nullopt;  // a texture, or one of the handles that are bound as buffers
      continue;
    }
    const auto space = space_of(type->getPointeeType());
    Argument argument{parameter, space == Space::threadgroup ? "threadgroup" : "buffer", {}};
    const auto attribute = unit.attribute(*parameter, argument.kind);
    if (attribute && !attribute->value) return std::nullopt;
    if (attribute) argument.index = attribute->value;
    if (!attribute && !unit.attributes(*parameter).empty()) return std::nullopt;
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

// Metal gives each the first index that no other argument of its kind has.
void add_indices(const Kernel& kernel, const Unit& unit, std::vector<InlayHint>& hints) {
  auto arguments = indexed_arguments(kernel, unit);
  if (!arguments) return;
  std::set<std::pair<std::string, std::int64_t>> taken;
  for (const auto& argument : *arguments)
    if (argument.index) taken.insert({argument.kind, *argument.index});
  for (const auto& argument : *arguments) {
    if (argument.index) continue;
    std::int64_t index = 0;
    while (!taken.insert({argument.kind, index}).second) ++index;
    const auto place = behind_name(*argument.parameter, unit);
    if (place.line == 0) continue;
    const auto text = fmt::format("[[{}({})]]", argument.kind, index);
    hints.push_back({.place = place,
                     .text = text,
                     .insertion = " " + text,
                     .explanation = fmt::format("Metal assigns {} index {}, the first free one",
                                                argument.kind, index)});
  }
}

}  // namespace

std::vector<InlayHint> inlay_hints(const Unit& unit, const Range& range) {
  Autos autos(unit);
  for (auto* declaration : unit.ast().getTranslationUnitDecl()->noload_decls())
    if (unit.is_users(declaration->getLocation())) autos.TraverseDecl(declaration);
  auto hints = autos.hints();
  std::set<const clang::FunctionDecl*> seen;
  for (const auto& kernel : unit.kernels()) {
    const auto* pattern = kernel.declaration->getTemplateInstantiationPattern();
    const auto* written = pattern ? pattern : kernel.declaration;
    if (seen.insert(written).second) add_indices(kernel, unit, hints);
  }
  std::erase_if(hints, [&](const InlayHint& hint) {
    return hint.place < range.begin || range.end < hint.place;
  });
  std::stable_sort(hints.begin(), hints.end(),
                   [](const InlayHint& a, const InlayHint& b) { return a.place < b.place; });
  return hints;
}

}  // namespace msci
