#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include "compiler/frontend/attributes.h"
#include "lint/analysis/expressions.h"
#include "lint/analysis/functions/signatures.h"
#include "lint/analysis/matchers.h"
#include "lint/explanation.h"
#include "lint/rule.h"
#include "lint/target/targets.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// The first version that has a name of Metal's own; 0 if all have it, or the name is not Metal's.
unsigned since_of(std::string_view name) {
  const auto feature = feature_named(name);
  return feature ? row_of(*feature).version : 0;
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
  const auto calls =
      callExpr(
          callee(functionDecl(hasAnyName("atomic_fetch_add_explicit", "atomic_fetch_sub_explicit"))
                     .bind("function")))
          .bind("call");
  for (const auto& found : match(calls, unit)) {
    const auto& call = *found.getNodeAs<clang::CallExpr>("call");
    const auto& function = *found.getNodeAs<clang::FunctionDecl>("function");
    if (unit.is_users(function.getLocation()) || call.getNumArgs() == 0) continue;
    const auto type = call.getArg(0)->IgnoreParenImpCasts()->getType();
    if (!is_floats(type)) continue;
    const auto space = space_of(type->getPointeeType());
    const auto feature =
        space == Space::threadgroup ? Feature::threadgroup_float_sums : Feature::device_float_sums;
    const auto first = row_of(feature).version;
    if (space == Space::thread || unit.version().number >= first) continue;
    report(call.getBeginLoc(), fmt::format("no matching function for call to '{}'; {} need {}",
                                           function.getNameAsString(), row_of(feature).text,
                                           spelling_of(LanguageVersion{first})));
  }
}

// "components of packed vectors need metal2.1, and this is metal2.0", if this version lacks them.
std::string missing(Feature feature, const Unit& unit) {
  const auto& row = row_of(feature);
  if (unit.version().number >= row.version) return {};
  return fmt::format("{} need {}, and this is {}", row.text,
                     spelling_of(LanguageVersion{row.version}), spelling_of(unit.version()));
}

// Before metal2.1, a packed vector has an index, but no x and no xy.
void check_packed(const Unit& unit, Reporter& report) {
  const auto message = missing(Feature::packed_components, unit);
  if (message.empty()) return;
  const auto is_packed = [&](const clang::Expr& base) {
    const auto type = base.getType();
    return is_metal_class(type->isPointerType() ? type->getPointeeType() : type, "$packed", unit);
  };
  for (const auto& found : match(memberExpr().bind("member"), unit)) {
    const auto& member = *found.getNodeAs<clang::MemberExpr>("member");
    if (llvm::isa<clang::FieldDecl>(member.getMemberDecl()) && is_packed(*member.getBase()))
      report(member.getMemberLoc(), message);
  }
  for (const auto& found : match(expr().bind("part"), unit))
    if (const auto* part =
            llvm::dyn_cast<clang::MSPropertyRefExpr>(found.getNodeAs<clang::Expr>("part"));
        part && is_packed(*part->getBaseExpr()))
      report(part->getMemberLoc(), message);
}

// What a host binds, and positions, as variables of the program.
void check_program_scope(const Unit& unit, Reporter& report) {
  const auto variables =
      varDecl(hasGlobalStorage(), hasAttr(clang::attr::Annotate)).bind("variable");
  for (const auto& found : match(variables, unit)) {
    const auto& variable = *found.getNodeAs<clang::VarDecl>("variable");
    for (const auto& attribute : unit.attributes(variable)) {
      const auto* known = metal_attribute(attribute.name);
      if (!known || known->kind == AttributeKind::other) continue;
      const auto feature = known->kind == AttributeKind::position ? Feature::program_scope_positions
                                                                  : Feature::program_scope_bindings;
      if (auto message = missing(feature, unit); !message.empty())
        report(attribute.place, std::move(message));
    }
  }
}

}  // namespace

extern constinit const Rule newer_version{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit& unit, const Diagnostic& diagnostic, Finding& finding) {
          const auto since = since_of(unknown_name(diagnostic.message));
          if (unit.version().number >= since) return DiagnosticMatch::none;
          if (const auto at = finding.message.find("; did you mean "); at != std::string::npos)
            finding.message.resize(at);
          add_remedy(finding,
                     fmt::format("it needs {}, and this is {}", spelling_of(LanguageVersion{since}),
                                 spelling_of(unit.version())));
          finding.notes.clear();
          finding.fixes.clear();
          return DiagnosticMatch::finding;
        },
    .check =
        [](const Unit& unit, Reporter& report) {
          check_atomics(unit, report);
          check_packed(unit, report);
          check_program_scope(unit, report);
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
