#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lint/analysis/expressions.h"
#include "lint/analysis/matchers.h"
#include "lint/explanation.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

struct Since {
  std::string_view name;
  unsigned version;
};

// Names of Metal's own that not every version has: the first that does, by the Metal Shading
// Language Specification.
constexpr std::array since_table = {
    Since{"bfloat", 310},
    Since{"bfloat2", 310},
    Since{"bfloat3", 310},
    Since{"bfloat4", 310},
    Since{"bfloat16_t", 310},
    Since{"packed_bfloat2", 310},
    Since{"packed_bfloat3", 310},
    Since{"packed_bfloat4", 310},
    Since{"simdgroup_bfloat8x8", 310},
    Since{"coherent", 320},
    Since{"os_log", 320},
    Since{"os_log_default", 320},
    Since{"os_log_type", 320},
    Since{"atomic_thread_fence", 320},
    Since{"memory_order_seq_cst", 320},
    Since{"tensor", 400},
    Since{"tensor_handle", 400},
    Since{"tensor_inline", 400},
    Since{"tensor_offset", 400},
    Since{"cooperative_tensor", 400},
    Since{"extents", 400},
    Since{"dextents", 400},
    Since{"dynamic_extent", 400},
    Since{"execution_thread", 400},
    Since{"execution_simdgroup", 400},
    Since{"execution_simdgroups", 400},
    Since{"memory_order_acquire", 410},
    Since{"memory_order_release", 410},
    Since{"memory_order_acq_rel", 410},
};

const Since* since_of(std::string_view name) {
  const auto found = std::ranges::find(since_table, name, &Since::name);
  return found == since_table.end() ? nullptr : &*found;
}

// The name that the compiler does not know, by one of its messages; else empty.
std::string_view unknown_name(std::string_view message) {
  for (const std::string_view start :
       {"use of undeclared identifier '", "unknown type name '", "no member named '",
        "no type named '", "no template named '", "no matching function for call to '"})
    if (message.starts_with(start)) {
      message.remove_prefix(start.size());
      return message.substr(0, message.find('\''));
    }
  return {};
}

bool is_floats(clang::QualType pointer) {
  if (!pointer->isPointerType()) return false;
  const auto* atomic = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      pointer->getPointeeType()->getAsCXXRecordDecl());
  return atomic && atomic->getName() == "atomic" && atomic->getTemplateArgs().size() == 1 &&
         atomic->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Type &&
         atomic->getTemplateArgs()[0].getAsType()->isFloatingType();
}

// The library's functions take any space, so that of a pointer shows at the call alone.
void check_atomics(const Unit& unit, Reporter& report) {
  constexpr LanguageVersion first_in_device{300}, first_in_threadgroup{410};
  const auto calls = callExpr(callee(functionDecl(hasAnyName("atomic_fetch_add_explicit",
                                                             "atomic_fetch_sub_explicit"))
                                         .bind("function")))
                         .bind("call");
  for (const auto& found : match(calls, unit)) {
    const auto& call = *found.getNodeAs<clang::CallExpr>("call");
    const auto& function = *found.getNodeAs<clang::FunctionDecl>("function");
    if (unit.is_users(function.getLocation()) || call.getNumArgs() == 0) continue;
    const auto type = call.getArg(0)->IgnoreParenImpCasts()->getType();
    if (!is_floats(type)) continue;
    const auto space = space_of(type->getPointeeType());
    const auto first = space == Space::threadgroup ? first_in_threadgroup : first_in_device;
    if (space == Space::thread || unit.version().number >= first.number) continue;
    report(call.getBeginLoc(),
           fmt::format("no matching function for call to '{}'; sums of floats in {} memory need {}",
                       function.getNameAsString(),
                       space == Space::threadgroup ? "threadgroup" : "device",
                       spelling_of(first)));
  }
}

}  // namespace

extern constinit const Rule newer_version{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit& unit, const Diagnostic& diagnostic, Finding& finding) {
          const auto* since = since_of(unknown_name(diagnostic.message));
          if (!since || unit.version().number >= since->version) return DiagnosticMatch::none;
          if (const auto at = finding.message.find("; did you mean "); at != std::string::npos)
            finding.message.resize(at);
          add_remedy(finding, fmt::format("it needs {}, and this is {}",
                                          spelling_of(LanguageVersion{since->version}),
                                          spelling_of(unit.version())));
          finding.notes.clear();
          finding.fixes.clear();
          return DiagnosticMatch::finding;
        },
    .check = check_atomics,
    .runs_on_broken_source = true,
};

}  // namespace msci
