#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "compiler/frontend/function_constants.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// Whether anything in the source is called so: what a using-directive or a base brings into sight.
bool is_somewhere(const Unit& unit, const std::string& name) {
  const auto named = namedDecl(hasName(name)).bind("named");
  return !match(named, unit).empty();
}

bool is_identifier(std::string_view text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace

extern constinit const Rule function_constant{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto parameters = parmVarDecl(hasAttr(clang::attr::Annotate)).bind("parameter");
          for (const auto& found : match(parameters, unit)) {
            const auto& parameter = *found.getNodeAs<clang::ParmVarDecl>("parameter");
            const auto attribute = unit.attribute(parameter, "function_constant");
            if (!attribute || !is_identifier(attribute->text) || condition_of(unit, parameter) ||
                is_somewhere(unit, attribute->text))
              continue;
            report(attribute->place,
                   fmt::format("use of undeclared identifier '{}'; declare it before: "
                               "constant bool {} [[function_constant(0)]];",
                               attribute->text, attribute->text));
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
