#include "lint/analysis/written_space.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <array>

#include "compiler/frontend/tokens/raw_lexer.h"

namespace msci {
namespace {

constexpr std::array other_spaces = {"device",   "constant",    "threadgroup",
                                     "ray_data", "object_data", "threadgroup_imageblock"};

// The words of the file that a token stands in, and its index among them.
struct WordsAt {
  const std::vector<RawToken>* words = nullptr;
  std::size_t index = 0;
  clang::SourceLocation file_begin;

  bool has(std::size_t i) const { return words && i < words->size(); }
  const RawToken& at(std::size_t i) const { return (*words)[i]; }
  clang::SourceLocation location(std::size_t i) const {
    return file_begin.getLocWithOffset(static_cast<int>(at(i).offset));
  }
};

// A token of a macro's body stands in the macro's definition; what a macro pastes stands nowhere.
WordsAt words_at(const Unit& unit, clang::SourceLocation location) {
  const auto& sources = unit.compiler().getSourceManager();
  const auto place = sources.getSpellingLoc(location);
  if (place.isInvalid() || !unit.is_users(place)) return {};
  const auto [file, offset] = sources.getDecomposedLoc(place);
  const auto text = sources.getBufferData(file);
  const auto& words = unit.cache().get<std::vector<RawToken>>(
      text.data(), [&] { return lex_raw(text, Dialect::metal, Comments::left_out); });
  const auto found = std::partition_point(
      words.begin(), words.end(), [&](const RawToken& word) { return word.offset < offset; });
  if (found == words.end() || found->offset != offset) return {};
  return {&words, static_cast<std::size_t>(found - words.begin()),
          sources.getLocForStartOfFile(file)};
}

WrittenSpace space_named(const RawToken& word, clang::Preprocessor& macros) {
  if (!word.is_identifier()) return WrittenSpace::none;
  if (word.is("thread")) return WrittenSpace::thread;
  if (std::ranges::find(other_spaces, word.text) != other_spaces.end()) return WrittenSpace::other;
  const bool is_metals = word.is("half") || word.is("bfloat") || word.is("kernel");
  const auto* name = macros.getIdentifierInfo(llvm::StringRef(word.text));
  return name->hadMacroDefinition() && !is_metals ? WrittenSpace::unknown : WrittenSpace::none;
}

// What the words of one declaration up to its '*' or '&' name.
WrittenSpace space_before(const WordsAt& star, clang::Preprocessor& macros) {
  int depth = 0;
  for (auto i = star.index; i-- > 0;) {
    const auto& word = star.at(i);
    if (word.is(")") || word.is("]") || word.is(">")) ++depth;
    if (word.is(">>")) depth += 2;
    if (word.is("(") || word.is("[") || word.is("<")) --depth;
    if (depth < 0 || word.is(";") || word.is("{") || word.is("}")) return WrittenSpace::none;
    // The parameter before this one; right before a star it parts the declarators of one
    // declaration.
    if (depth == 0 && word.is(",") && i + 1 != star.index) return WrittenSpace::none;
    if (depth > 0) continue;
    if (const auto space = space_named(word, macros); space != WrittenSpace::none) return space;
  }
  return WrittenSpace::none;
}

bool is_brought(clang::QualType type) {
  return type->isDependentType() || type->containsErrors() || type->isFunctionType() ||
         type->getContainedAutoType() || type->getAs<clang::SubstTemplateTypeParmType>();
}

clang::SourceLocation parameters_end(const clang::CXXMethodDecl& member) {
  const auto* written = member.getTypeSourceInfo();
  if (!written || member.isImplicit()) return {};
  const auto function = written->getTypeLoc().IgnoreParens().getAs<clang::FunctionTypeLoc>();
  return function ? function.getRParenLoc() : clang::SourceLocation();
}

}  // namespace

WrittenSpace written_space(const Unit& unit, clang::SourceLocation star) {
  if (star.isMacroID()) return WrittenSpace::unknown;
  const auto place = words_at(unit, star);
  if (!place.words || place.index == 0) return WrittenSpace::unknown;
  // What a lambda captures by reference is declared where it is named, without a star.
  if (const auto& sign = place.at(place.index); !sign.is("*") && !sign.is("&") && !sign.is("&&"))
    return WrittenSpace::unknown;
  const auto& before = place.at(place.index - 1);
  // A second star: what belongs to it is not said by words alone.
  if (before.is("*") || before.is("&")) return WrittenSpace::unknown;
  // `device float (&row)[4]`: the space stands before the parentheses.
  auto first = place;
  if (before.is("(")) --first.index;
  return space_before(first, unit.compiler().getPreprocessor());
}

WrittenSpace written_space(const Unit& unit, clang::TypeLoc declared) {
  const auto type = declared.getUnqualifiedLoc().IgnoreParens();
  clang::SourceLocation star;
  if (const auto pointer = type.getAs<clang::PointerTypeLoc>()) star = pointer.getStarLoc();
  if (const auto reference = type.getAs<clang::LValueReferenceTypeLoc>())
    star = reference.getAmpLoc();
  if (star.isInvalid()) return WrittenSpace::unknown;
  const auto space = written_space(unit, star);
  if (space == WrittenSpace::none && is_brought(type.getNextTypeLoc().getType()))
    return WrittenSpace::unknown;
  return space;
}

WrittenSpace object_space(const Unit& unit, const clang::CXXMethodDecl& member) {
  const auto end = words_at(unit, parameters_end(member));
  if (!end.words) return WrittenSpace::unknown;
  auto& macros = unit.compiler().getPreprocessor();
  for (auto i = end.index + 1; end.has(i); ++i) {
    const auto& word = end.at(i);
    const bool is_qualifier = word.is("const") || word.is("volatile") || word.is("noexcept") ||
                              word.is("&") || word.is("&&");
    if (is_qualifier) continue;
    return space_named(word, macros);
  }
  return WrittenSpace::none;
}

clang::SourceLocation last_before_object_space(const Unit& unit,
                                               const clang::CXXMethodDecl& member) {
  const auto end = words_at(unit, parameters_end(member));
  if (!end.words) return {};
  auto last = end.index;
  while (end.has(last + 1) && (end.at(last + 1).is("const") || end.at(last + 1).is("volatile")))
    ++last;
  return end.location(last);
}

}  // namespace msci
