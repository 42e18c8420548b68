#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/TypeLoc.h>
#include <fmt/format.h>

#include "compiler/frontend/clang_messages.h"
#include "lint/analysis/expressions.h"
#include "lint/analysis/matchers.h"
#include "lint/explanation.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

bool is_atomic_type(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  return record && record->getDeclName().isIdentifier() && record->getName() == "atomic";
}

// What an atomic object may be.
bool is_atomic_value(clang::QualType type) {
  if (type->isDependentType()) return true;
  const auto* builtin = type.getCanonicalType()->getAs<clang::BuiltinType>();
  if (!builtin) return false;
  switch (builtin->getKind()) {
    case clang::BuiltinType::Int:
    case clang::BuiltinType::UInt:
    case clang::BuiltinType::Bool:
    case clang::BuiltinType::ULong:
    case clang::BuiltinType::Float:
      return true;
    default:
      return false;
  }
}

void check_types(const Unit& unit, Reporter& report) {
  const auto written = typeLoc(loc(templateSpecializationType())).bind("written");
  for (const auto& found : match(written, unit)) {
    const auto& place = *found.getNodeAs<clang::TypeLoc>("written");
    const auto* object = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
        place.getType()->getAsCXXRecordDecl());
    if (!object || object->getName() != "atomic" || unit.is_users(object->getLocation()) ||
        object->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type ||
        is_atomic_value(object->getTemplateArgs()[0].getAsType()))
      continue;
    report(place.getBeginLoc(), "an atomic object is an int, uint, bool, ulong or float");
  }
}

// The library's functions take any space; Metal's take atomic objects that threads share.
void check_shared_objects(const Unit& unit, Reporter& report) {
  const auto own = unaryOperator(hasOperatorName("&"),
                                 hasUnaryOperand(declRefExpr(to(varDecl().bind("object")))));
  const auto calls = callExpr(hasArgument(0, ignoringParenImpCasts(own))).bind("call");
  for (const auto& found : match(calls, unit)) {
    const auto type = found.getNodeAs<clang::VarDecl>("object")->getType();
    const auto& call = *found.getNodeAs<clang::CallExpr>("call");
    const auto* callee = call.getDirectCallee();
    if (!is_atomic_type(type) || space_of(type) != Space::thread || !callee ||
        unit.is_users(callee->getLocation()))
      continue;
    report(call.getBeginLoc(),
           fmt::format("no matching function for call to '{}'; an atomic object is in device or "
                       "threadgroup memory",
                       callee->getNameAsString()));
  }
}

// The broken expression that stands at a place, as far as the compiler understood it.
class ExpressionFinder : public clang::DynamicRecursiveASTVisitor {
 public:
  ExpressionFinder(const Unit& unit, const Place& place) : unit_(unit), place_(place.start()) {}
  bool VisitRecoveryExpr(clang::RecoveryExpr* broken) override {
    if (unit_.locate(broken->getBeginLoc()).start() == place_) found = broken;
    return true;
  }
  const clang::RecoveryExpr* found = nullptr;

 private:
  const Unit& unit_;
  Place place_;
};

// `counts[i] += 1`, for which the compiler only reports a missing operator.
bool updates_atomic(const Unit& unit, const Diagnostic& diagnostic) {
  if (!diagnostic.message.starts_with("no viable overloaded '")) return false;
  class Updates : public clang::DynamicRecursiveASTVisitor {
   public:
    Updates(const Unit& unit, const Place& place) : unit_(unit), place_(place) {}
    bool VisitRecoveryExpr(clang::RecoveryExpr* broken) override {
      const auto parts = broken->subExpressions();
      if (parts.size() != 2 || !is_atomic_type(parts[0]->getType())) return true;
      const auto [file, range] = unit_.locate(broken->getSourceRange());
      const auto line = place_.range.begin.line;
      found = found || (file == place_.file && parts[0]->getType()->isRecordType() &&
                        range.begin.line <= line && line <= range.end.line);
      return true;
    }
    bool found = false;

   private:
    const Unit& unit_;
    Place place_;
  };
  Updates updates(unit, diagnostic.place);
  updates.TraverseDecl(unit.ast().getTranslationUnitDecl());
  return updates.found;
}

// Why an atomic function takes none of these arguments.
std::string reason(const clang::RecoveryExpr& call, std::string_view name, const Unit& unit) {
  const auto parts = call.subExpressions();
  if (parts.size() < 2) return "it takes a pointer to an atomic object";
  const auto type = parts[1]->getType();
  if (type->isDependentType() || type->containsErrors()) return {};
  const auto spelt = [&](clang::QualType which) {
    return to_metal_terms(which.getAsString(unit.ast().getPrintingPolicy()), "");
  };
  if (is_atomic_type(type)) return "it takes a pointer to the atomic object: write '&' before it";
  if (!type->isPointerType() || !is_atomic_type(type->getPointeeType()))
    return fmt::format("it works only on atomic objects such as atomic_uint; this is a '{}'",
                       spelt(type));
  const auto object = type->getPointeeType();
  if (object.isConstQualified() && !name.starts_with("atomic_load"))
    return "the atomic object is const";
  const std::string_view last(name.substr(0, name.rfind("_explicit")));
  const bool counts = last.ends_with("_min") || last.ends_with("_max") || last.ends_with("_and") ||
                      last.ends_with("_or") || last.ends_with("_xor");
  const auto* value = object->getAsCXXRecordDecl();
  const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(value);
  if (counts && special && special->getTemplateArgs()[0].getAsType()->isFloatingType())
    return "Metal has atomic addition and subtraction of floats, but no minimum or maximum";
  const auto* order = parts.back();
  if (!order->getType()->isEnumeralType())
    return "its last argument is the memory order, memory_order_relaxed";
  return {};
}

}  // namespace

extern constinit const Rule atomics{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit& unit, const Diagnostic& diagnostic, Finding& finding) {
          const std::string_view text = diagnostic.message;
          if (text.starts_with("no matching function for call to 'atomic_")) {
            ExpressionFinder finder(unit, diagnostic.place);
            finder.TraverseDecl(unit.ast().getTranslationUnitDecl());
            const auto name = unit.text(diagnostic.place);
            const auto why = finder.found ? reason(*finder.found, name, unit) : "";
            finding.notes.clear();
            if (!why.empty()) add_remedy(finding, why);
            return DiagnosticMatch::finding;
          }
          if (text.starts_with("use of undeclared identifier 'memory_order_")) {
            finding.notes.clear();
            add_remedy(finding,
                       "before metal4.1, Metal has only memory_order_relaxed; use a barrier with "
                       "mem_flags "
                       "or, since metal3.2, atomic_thread_fence");
            finding.fixes = {{{{diagnostic.place, "memory_order_relaxed"}}, /*safe=*/false}};
            return DiagnosticMatch::finding;
          }
          if (text.starts_with("use of undeclared identifier 'atomic_compare_exchange_strong")) {
            finding.notes.clear();
            add_remedy(finding,
                       "Metal has only the weak form, which may fail even if the values are equal: "
                       "call it in a loop");
            return DiagnosticMatch::finding;
          }
          const bool used_plainly = text.find("atomic<") != std::string_view::npos &&
                                    (text.starts_with("cannot increment value") ||
                                     text.starts_with("cannot decrement value") ||
                                     text.starts_with("no viable conversion from") ||
                                     text.starts_with("invalid operands to binary expression"));
          if (!used_plainly && !updates_atomic(unit, diagnostic)) return DiagnosticMatch::none;
          finding.notes.clear();
          explain(finding,
                  "an atomic object has no operators: use atomic_load_explicit, "
                  "atomic_store_explicit or atomic_fetch_add_explicit");
          return DiagnosticMatch::finding;
        },
    .check =
        [](const Unit& unit, Reporter& report) {
          check_types(unit, report);
          check_shared_objects(unit, report);
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
