#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>

#include "lint/matchers.h"
#include "lint/rule.h"
#include "lint/words.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// Objects that need no space: Metal takes `constexpr sampler s(…)` at program scope.
bool needs_no_space(const clang::VarDecl& variable) {
  const auto* record = variable.getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  // A variable with an attribute is none of the program's own: a position in the grid.
  return variable.hasAttr<clang::AnnotateAttr>() || (record && record->getName() == "sampler");
}

bool is_without_space(const clang::VarDecl& variable) {
  const auto type = variable.getType();
  // A dependent type may bring a space along; a broken one says nothing.
  if (type->isDependentType() || type->containsErrors() || type->isReferenceType()) return false;
  return space_of(type) != Space::constant;
}

// `static const float x` → `constant float x`: the words that say where and how it is stored go.
std::vector<Edit> in_constant(const Unit& unit, const clang::VarDecl& variable) {
  const auto words = words_of(unit.source());
  const auto name = word_at(words, unit.source(), unit.locate(variable.getLocation()));
  auto first = name;
  while (first > 0 && !words[first - 1].is(";") && !words[first - 1].is("}") &&
         !words[first - 1].is("{") && !words[first - 1].is(">") && !words[first].starts_line)
    --first;
  if (first == name) return {};
  for (auto i = first; i < name; ++i)
    if (words[i].is("device") || words[i].is("threadgroup") || words[i].is("thread") ||
        words[i].is("#"))
      return {};
  const auto at = location_at(unit.source(), words[first].offset);
  return {Edit{{at, at}, "constant "}};
}

}  // namespace

extern constinit const Rule program_scope_constant{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto variables =
              varDecl(hasGlobalStorage(),
                      hasDeclContext(anyOf(translationUnitDecl(), namespaceDecl())))
                  .bind("variable");
          for (const auto& found : match(variables, unit)) {
            const auto& variable = *found.getNodeAs<clang::VarDecl>("variable");
            if (!is_without_space(variable) || needs_no_space(variable)) continue;
            auto draft = report(variable.getLocation(),
                                "program scope variable must reside in constant address space");
            if (auto edits = in_constant(unit, variable); !edits.empty())
              draft.fix(std::move(edits));
          }
        },
    .checks_broken = true,
};

}  // namespace msci
