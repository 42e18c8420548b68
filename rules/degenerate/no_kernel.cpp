#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>

#include <algorithm>
#include <array>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// What a host can use of a source besides kernels.
constexpr std::array other_stages = {"vertex",  "fragment",   "object",      "mesh",
                                     "visible", "stitchable", "intersection"};

// Whether the source is there for something else, such as drawing.
bool has_other_stage(const Unit& unit) {
  const auto functions =
      functionDecl(isDefinition(), hasAttr(clang::attr::Annotate)).bind("function");
  for (const auto& found : match(functions, unit)) {
    const auto& function = *found.getNodeAs<clang::FunctionDecl>("function");
    if (std::any_of(other_stages.begin(), other_stages.end(),
                    [&](const char* stage) { return unit.attribute(function, stage); }))
      return true;
  }
  return false;
}

// The last line that holds anything: a reader from the top sees every other fault first.
Place end_of(const std::string& text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  const auto end = text.begin() + (last == std::string::npos ? 0 : last);
  const auto line = static_cast<unsigned>(std::count(text.begin(), end, '\n')) + 1;
  return {"", {{line, 1}, {line, 1}}};
}

}  // namespace

extern constinit const Rule no_kernel{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          // Where names are expected, missing_kernel says which. With several libraries, the
          // kernels may be in another source.
          const auto& contract = report.contract();
          const bool is_expected =
              contract.host && contract.host->libraries <= 1 && contract.kernels.empty();
          if (is_expected && unit.kernels().empty() && !has_other_stage(unit))
            report(end_of(unit.source().text), "this source has no kernel");
        },
};

}  // namespace msci
