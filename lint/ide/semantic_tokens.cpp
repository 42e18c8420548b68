#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "compiler/frontend/tokens/tokens.h"
#include "lint/analysis/expressions.h"
#include "lint/analysis/raw_tokens.h"
#include "lint/ide/declarations.h"
#include "lint/ide/features.h"
#include "lint/ide/names.h"

namespace msci {
namespace {

template <typename Words>
constexpr unsigned place_among(const Words& words, std::string_view word) {
  for (unsigned i = 0; i < words.size(); ++i)
    if (word == words[i]) return i;
  return static_cast<unsigned>(words.size());
}
void not_in_the_legend() {}  // a call does not compile where a constant is needed
consteval unsigned kind(std::string_view word) {
  const auto number = place_among(semantic_kinds, word);
  if (number == semantic_kinds.size()) not_in_the_legend();
  return number;
}
consteval unsigned bit(std::string_view word) {
  const auto number = place_among(semantic_modifiers, word);
  if (number == semantic_modifiers.size()) not_in_the_legend();
  return 1u << number;
}

std::optional<unsigned> kind_of(const clang::NamedDecl& symbol) {
  if (llvm::isa<clang::NamespaceDecl, clang::NamespaceAliasDecl>(symbol)) return kind("namespace");
  if (llvm::isa<clang::EnumConstantDecl>(symbol)) return kind("enumMember");
  if (llvm::isa<clang::EnumDecl>(symbol)) return kind("enum");
  if (llvm::isa<clang::RecordDecl>(symbol)) return kind("struct");
  if (llvm::isa<clang::TemplateTypeParmDecl>(symbol)) return kind("typeParameter");
  if (llvm::isa<clang::TypeDecl>(symbol)) return kind("type");
  if (llvm::isa<clang::CXXMethodDecl>(symbol)) return kind("method");
  if (llvm::isa<clang::FunctionDecl>(symbol)) return kind("function");
  if (llvm::isa<clang::FieldDecl, clang::MSPropertyDecl>(symbol)) return kind("property");
  if (llvm::isa<clang::ParmVarDecl>(symbol)) return kind("parameter");
  if (llvm::isa<clang::ValueDecl>(symbol)) return kind("variable");
  return std::nullopt;
}

unsigned space_bit(clang::QualType type) {
  if (type->isDependentType()) return 0;
  const auto object =
      type->isPointerType() || type->isReferenceType() ? type->getPointeeType() : type;
  switch (space_of(object)) {
    case Space::device:
      return bit("device");
    case Space::constant:
      return bit("constant");
    case Space::threadgroup:
      return bit("threadgroup");
    case Space::thread:
      return 0;
  }
  return 0;
}

unsigned modifiers_of(const clang::NamedDecl& symbol, const Unit& unit) {
  unsigned modifiers = 0;
  if (!unit.is_users(symbol.getLocation())) modifiers |= bit("defaultLibrary");
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&symbol)) {
    modifiers |= space_bit(variable->getType());
    if (variable->getType().isConstQualified()) modifiers |= bit("readonly");
  }
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&symbol))
    if (unit.attribute(*function, "kernel")) modifiers |= bit("kernel");
  return modifiers;
}

class Colours {
 public:
  explicit Colours(const Unit& unit)
      : unit_(unit), names_(written_names(unit)), lines_(unit.source().text) {}

  std::vector<SemanticToken> find() {
    std::vector<SemanticToken> found;
    bool in_attribute = false;
    const auto& words = raw_tokens(unit_);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto& word = words[i];
      if (word.is("[") && i + 1 < words.size() && words[i + 1].is("[")) in_attribute = true;
      if (word.is("]") && i > 0 && words[i - 1].is("]")) in_attribute = false;
      if (!word.is_identifier() || word.has_splice) continue;
      const Range range{lines_.at(word.offset), lines_.at(word.end())};
      if (auto token = token_of(word, range, in_attribute)) found.push_back(*token);
    }
    return found;
  }

 private:
  std::optional<SemanticToken> token_of(const RawToken& word, const Range& range,
                                        bool in_attribute) const {
    if (const auto* name = names_.at({"", range})) return token_of(*name, range);
    if (names_.elements.contains({"", range})) return SemanticToken{range, kind("property")};
    if (in_attribute && !meaning_of_attribute(word.text).empty() &&
        names_attribute(unit_.source().text, static_cast<unsigned>(word.offset)))
      return SemanticToken{range, kind("decorator"), bit("defaultLibrary")};
    if (is_metal_keyword(word.text)) return SemanticToken{range, kind("keyword")};
    if (is_users_macro(word.text)) return SemanticToken{range, kind("macro")};
    return std::nullopt;
  }

  std::optional<SemanticToken> token_of(const WrittenName& name, const Range& range) const {
    const auto& symbol = *name.symbols.back();
    const auto number = kind_of(symbol);
    if (!number) return std::nullopt;
    auto modifiers = modifiers_of(symbol, unit_);
    if (unit_.locate(symbol.getLocation()).start() == name.place.start())
      modifiers |= bit("declaration");
    return SemanticToken{range, *number, modifiers};
  }

  bool is_users_macro(std::string_view word) const {
    auto& preprocessor = unit_.compiler().getPreprocessor();
    const auto* macro = preprocessor.getMacroInfo(preprocessor.getIdentifierInfo(word));
    return macro && unit_.is_users(macro->getDefinitionLoc());
  }

  const Unit& unit_;
  const WrittenNames names_;
  const Lines lines_;
};

}  // namespace

std::vector<SemanticToken> semantic_tokens(const Unit& unit) { return Colours(unit).find(); }

}  // namespace msci
