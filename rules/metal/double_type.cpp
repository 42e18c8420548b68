#include <clang/AST/TypeLoc.h>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule double_type{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto doubles = typeLoc(loc(builtinType().bind("type"))).bind("written");
          for (const auto& found : match(doubles, unit)) {
            const auto kind = found.getNodeAs<clang::BuiltinType>("type")->getKind();
            if (kind != clang::BuiltinType::Double && kind != clang::BuiltinType::LongDouble)
              continue;
            report(found.getNodeAs<clang::TypeLoc>("written")->getBeginLoc(),
                   "'double' is not supported in Metal");
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
