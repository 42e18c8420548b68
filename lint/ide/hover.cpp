#include <clang/AST/ASTContext.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>
#include <fmt/format.h>

#include "base/text.h"
#include "compiler/frontend/tokens/tokens.h"
#include "lint/ide/declarations.h"
#include "lint/ide/features.h"
#include "lint/ide/names.h"

namespace msci {
namespace {

// The structure or enumeration that a type leads to; null without one.
const clang::TagDecl* tag_of(clang::QualType type) {
  while (!type.isNull()) {
    if (type->isPointerType() || type->isReferenceType())
      type = type->getPointeeType();
    else if (const auto* array = type->getAsArrayTypeUnsafe())
      type = array->getElementType();
    else if (const auto* function = type->getAs<clang::FunctionType>())
      type = function->getReturnType();
    else
      return type->getAsTagDecl();
  }
  return nullptr;
}

const clang::TagDecl* tag_of(const clang::NamedDecl& declaration) {
  if (const auto* of_template = llvm::dyn_cast<clang::TemplateDecl>(&declaration))
    return of_template->getTemplatedDecl() ? tag_of(*of_template->getTemplatedDecl()) : nullptr;
  if (const auto* value = llvm::dyn_cast<clang::ValueDecl>(&declaration))
    return tag_of(value->getType());
  if (const auto* alias = llvm::dyn_cast<clang::TypedefNameDecl>(&declaration))
    return tag_of(alias->getUnderlyingType());
  return llvm::dyn_cast<clang::TagDecl>(&declaration);
}

// A macro of the user's, as it stands at the end of the source. Clang keeps no record of what a
// macro's name stood for where it was used.
std::optional<Hover> macro_of(const Unit& unit, const Range& word) {
  const auto name = text_of(unit.source(), word);
  auto& preprocessor = unit.compiler().getPreprocessor();
  const auto* macro = preprocessor.getMacroInfo(preprocessor.getIdentifierInfo(name));
  if (!macro || !unit.is_users(macro->getDefinitionLoc())) return std::nullopt;
  const auto whole =
      unit.locate(clang::SourceRange(macro->getDefinitionLoc(), macro->getDefinitionEndLoc()));
  return Hover{.range = word,
               .name = std::string(name),
               .declaration = fmt::format("#define {}", unit.text(whole)),
               .place = unit.locate(macro->getDefinitionLoc())};
}

// The token pass writes attributes in its own way, so that Clang knows nothing of their names.
std::optional<Hover> attribute_of(const Unit& unit, const Range& word) {
  const auto name = text_of(unit.source(), word);
  const auto meaning = meaning_of_attribute(name);
  const auto offset = static_cast<unsigned>(offset_of(unit.source(), word.begin));
  if (meaning.empty() || !names_attribute(unit.source().text, offset)) return std::nullopt;
  return Hover{.range = word,
               .name = std::string(name),
               .declaration = fmt::format("[[{}]]", name),
               .meaning = std::string(meaning),
               .is_metals = true};
}

}  // namespace

std::optional<Hover> hover_at(const Unit& unit, Location location) {
  const auto word = word_around(unit.source(), location);
  if (word.begin == word.end) return std::nullopt;
  if (auto macro = macro_of(unit, word)) return macro;
  if (auto attribute = attribute_of(unit, word)) return attribute;
  const auto* found = declaration_at(unit, location);
  if (!found || found->getNameAsString().starts_with('$')) return std::nullopt;  // a help of ours
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(found);
  Hover insight{.range = word,
                .name = found->getNameAsString(),
                .is_metals = !unit.is_users(found->getLocation())};
  const bool has_types = function && !function->isTemplated();
  insight.declaration = insight.is_metals && has_types ? called(*function) : written(*found);
  if (insight.is_metals) {
    insight.meaning = meaning_of(insight.name);
    return insight;
  }
  insight.place = unit.locate(definition_of(*found).getLocation());
  return insight;
}

Place type_place_at(const Unit& unit, Location location) {
  const auto* found = declaration_at(unit, location);
  const auto* tag = found ? tag_of(*found) : nullptr;
  return tag ? unit.locate(definition_of(*tag).getLocation()) : Place{};
}

}  // namespace msci
