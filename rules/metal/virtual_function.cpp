#include <clang/AST/DeclCXX.h>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

}  // namespace

extern constinit const Rule virtual_function{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& found : match(cxxMethodDecl(isVirtualAsWritten()).bind("method"), unit))
            report(found.getNodeAs<clang::CXXMethodDecl>("method")->getLocation(),
                   "virtual member functions are not supported in Metal");
          for (const auto& found : match(cxxRecordDecl(isDefinition()).bind("record"), unit))
            for (const auto& base : found.getNodeAs<clang::CXXRecordDecl>("record")->bases())
              if (base.isVirtual())
                report(base.getBeginLoc(), "virtual base classes are not supported in Metal");
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
