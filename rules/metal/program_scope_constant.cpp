#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lint/analysis/expressions.h"
#include "lint/analysis/matchers.h"
#include "lint/analysis/raw_tokens.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// Objects that need no space: Metal takes `constexpr sampler s(…)` at program scope.
bool needs_no_space(const clang::VarDecl& variable, const Unit& unit) {
  const auto* record = variable.getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  // A variable with an attribute is none of the program's own: a position in the grid.
  const bool is_bound =
      variable.hasAttr<clang::AnnotateAttr>() && !unit.attribute(variable, "function_constant");
  return is_bound || (record && record->getName() == "sampler");
}

bool is_without_space(const clang::VarDecl& variable) {
  const auto type = variable.getType();
  // A dependent type may bring a space along; a broken one says nothing.
  if (type->isDependentType() || type->containsErrors() || type->isReferenceType()) return false;
  return space_of(type) != Space::constant;
}

// What CUDA and OpenCL call this space.
bool is_foreign_constant(const RawToken& word) {
  return word.is("__constant__") || word.is("__constant");
}

// A word for another space, in Metal or elsewhere: it says that something else was meant.
bool names_other_space(const RawToken& word) {
  constexpr std::string_view spaces[] = {"device",     "threadgroup", "thread",   "__device__",
                                         "__shared__", "__managed__", "__global", "__local",
                                         "__private",  "groupshared"};
  return std::find(std::begin(spaces), std::end(spaces), word.text) != std::end(spaces);
}

// Whether the compiler does not know the word: what it is called here is another rule's to say.
bool is_complained_of(const Unit& unit, const Place& place) {
  const auto& all = unit.diagnostics();
  return std::any_of(all.begin(), all.end(), [&](const Diagnostic& each) {
    return each.severity == Severity::error && each.place.start() == place.start();
  });
}

// `static const float x` → `constant static const float x`, and `__constant__ float x` →
// `constant float x`.
std::vector<Edit> in_constant(const Unit& unit, const clang::VarDecl& variable) {
  const auto place = unit.locate(variable.getLocation());
  const FileTokens tokens(unit, place);
  const auto& words = tokens.words();
  const auto name = tokens.at(place);
  auto first = name;
  while (first > 0 && !words[first - 1].is(";") && !words[first - 1].is("}") &&
         !words[first - 1].is("{") && !words[first - 1].is(">") && !words[first].starts_line)
    --first;
  // It may stand on a line of its own.
  if (first > 0 && is_foreign_constant(words[first - 1]) && words[first - 1].starts_line) --first;
  if (first == name || (first > 0 && is_foreign_constant(words[first - 1]))) return {};
  const RawToken* foreign = nullptr;
  for (auto i = first; i < name; ++i) {
    if (names_other_space(words[i]) || words[i].is("#")) return {};
    if (is_foreign_constant(words[i])) foreign = &words[i];
  }
  if (!foreign) return {Edit{tokens.place_of(words[first]).start(), "constant "}};
  const auto word = tokens.place_of(*foreign);
  if (is_complained_of(unit, word)) return {};
  return {Edit{word, "constant"}};
}

}  // namespace

extern constinit const Rule program_scope_constant{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto variables =
              varDecl(hasGlobalStorage(),
                      hasDeclContext(anyOf(translationUnitDecl(), namespaceDecl(), recordDecl())))
                  .bind("variable");
          for (const auto& found : match(variables, unit)) {
            const auto& variable = *found.getNodeAs<clang::VarDecl>("variable");
            if (!is_without_space(variable) || needs_no_space(variable, unit)) continue;
            const bool is_elsewhere =
                variable.hasExternalStorage() && !unit.attribute(variable, "function_constant");
            auto draft = report(variable.getLocation(),
                                fmt::format("{} variable must reside in constant address space",
                                            is_elsewhere ? "extern" : "program scope"));
            if (auto edits = in_constant(unit, variable); !edits.empty())
              draft.fix(std::move(edits));
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
