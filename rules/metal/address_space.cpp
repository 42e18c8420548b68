#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/TypeLoc.h>
#include <fmt/format.h>

#include <algorithm>

#include "frontend/clang_messages.h"
#include "lint/analysis/expressions.h"
#include "lint/analysis/matchers.h"
#include "lint/analysis/written_space.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

std::string name_of(clang::QualType type, const Unit& unit) {
  return to_metal_terms(type.getAsString(unit.ast().getPrintingPolicy()), "");
}

// --- Pointers and references that are written without a space: up to metal4.0, an error.

constexpr char missing_space[] = "{} type must have explicit address space qualifier";

// Whether `thread` must be written there: not for what a template or `auto` brings along.
bool wants_space(clang::QualType pointee) {
  return !pointee.isNull() && !pointee->isDependentType() && !pointee->containsErrors() &&
         !pointee->isFunctionType() && !pointee->getContainedAutoType() &&
         !pointee->isUndeducedType() && space_of(pointee) == Space::thread;
}

std::string_view kind_of(clang::QualType type) {
  return type->isPointerType() ? "pointer" : "reference";
}

// Since metal4.1, only what a host binds needs a space.
void check_arguments_of_kernels(const Unit& unit, Reporter& report) {
  for (const auto& kernel : unit.kernels())
    for (const auto* parameter : kernel.declaration->parameters())
      if (const auto* written = parameter->getTypeSourceInfo();
          written && written_space(unit, written->getTypeLoc()) == WrittenSpace::none &&
          wants_space(parameter->getType()->getPointeeType()))
        report(parameter->getLocation(), fmt::format(missing_space, kind_of(parameter->getType())));
}

void check_written(const Unit& unit, Reporter& report) {
  if (has_generic_space(unit.version())) return check_arguments_of_kernels(unit, report);
  const auto written =
      typeLoc(anyOf(loc(pointerType()), loc(lValueReferenceType()))).bind("written");
  for (const auto& found : match(written, unit)) {
    const auto& type = *found.getNodeAs<clang::TypeLoc>("written");
    const auto pointer = type.getAs<clang::PointerTypeLoc>();
    const auto reference = type.getAs<clang::LValueReferenceTypeLoc>();
    if (pointer.isNull() == reference.isNull()) continue;
    const auto place = pointer ? pointer.getStarLoc() : reference.getAmpLoc();
    const auto pointee = type.getType()->getPointeeType();
    if (place.isMacroID() || !unit.is_users(place) || !wants_space(pointee)) continue;
    if (written_space(unit, place) == WrittenSpace::none)
      report(place, fmt::format(missing_space, kind_of(type.getType())));
  }
}

// --- Pointers that change their space.

// Whether the expression is built from variables alone. What a function of the user's returns may
// have lost its space: one overload stands for those of all spaces.
bool is_plain(const clang::Expr& expression) {
  const auto* e = expression.IgnoreParenImpCasts();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e))
    return llvm::isa<clang::VarDecl>(name->getDecl());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
    return llvm::isa<clang::FieldDecl>(member->getMemberDecl()) && is_plain(*member->getBase());
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
    return is_plain(*element->getBase());
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e))
    return is_plain(*unary->getSubExpr());
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(e))
    return binary->isAdditiveOp() && is_plain(*binary->getLHS());
  return false;
}

bool is_settled(clang::QualType type) {
  return !type.isNull() && !type->isDependentType() && !type->containsErrors();
}

// Whether a pointer or reference that is declared so takes an object of that type, in another space
// than its own: since metal4.1 it does if it names none, unless the object is in constant memory.
// What comes from a pointer without a space is not known to lie elsewhere.
bool takes_any(const Unit& unit, const clang::TypeSourceInfo* to, clang::QualType from) {
  if (!has_generic_space(unit.version()) || space_of(from) == Space::constant) return false;
  return space_of(from) == Space::thread ||
         (to && space_of(to->getType()->getPointeeType()) == Space::thread &&
          written_space(unit, to->getTypeLoc()) != WrittenSpace::thread);
}

void check_casts(const Unit& unit, Reporter& report) {
  const auto casts = explicitCastExpr(hasDestinationType(pointerType())).bind("cast");
  for (const auto& found : match(casts, unit)) {
    const auto& cast = *found.getNodeAs<clang::ExplicitCastExpr>("cast");
    const auto* source = cast.getSubExprAsWritten();
    const auto from = source->getType();
    const auto to = cast.getTypeAsWritten();
    if (!is_settled(from) || !is_settled(to) || !from->isPointerType()) continue;
    if (!is_plain(*source) || space_of(from->getPointeeType()) == space_of(to->getPointeeType()) ||
        takes_any(unit, cast.getTypeInfoAsWritten(), from->getPointeeType()))
      continue;
    report(cast.getBeginLoc(),
           fmt::format("{} from '{}' to '{}' converts between mismatching address spaces",
                       llvm::isa<clang::CStyleCastExpr>(cast) ? "C-style cast" : "cast",
                       name_of(from, unit), name_of(to, unit)));
  }
}

void check_arguments(const Unit& unit, Reporter& report) {
  const auto calls = callExpr(callee(functionDecl().bind("callee"))).bind("call");
  for (const auto& found : match(calls, unit)) {
    const auto& call = *found.getNodeAs<clang::CallExpr>("call");
    const auto& callee = *found.getNodeAs<clang::FunctionDecl>("callee");
    if (llvm::isa<clang::CXXOperatorCallExpr>(call) || !unit.is_users(callee.getLocation()))
      continue;
    const auto count = std::min(call.getNumArgs(), callee.getNumParams());
    for (unsigned i = 0; i < count; ++i) {
      const auto to = callee.getParamDecl(i)->getType();
      const auto& argument = *call.getArg(i)->IgnoreParenImpCasts();
      const auto from = argument.getType();
      if (!is_settled(to) || !is_settled(from) || !is_plain(argument)) continue;
      const bool loses_pointer = to->isPointerType() && from->isPointerType() &&
                                 space_of(to->getPointeeType()) != space_of(from->getPointeeType());
      // A const reference may bind to a copy.
      const bool loses_reference = to->isLValueReferenceType() &&
                                   !to->getPointeeType().isConstQualified() &&
                                   space_of(to->getPointeeType()) != space_of(from);
      if (!loses_pointer && !loses_reference) continue;
      if (takes_any(unit, callee.getParamDecl(i)->getTypeSourceInfo(),
                    loses_pointer ? from->getPointeeType() : from))
        continue;
      report(call.getBeginLoc(),
             fmt::format("no matching function for call to '{}'", callee.getNameAsString()))
          .note(argument.getSourceRange(),
                fmt::format("no known conversion from '{}' to '{}': their address spaces differ",
                            name_of(from, unit), name_of(to, unit)));
      break;
    }
  }
}

// The space that a type names, as a message spells it.
std::string_view space_in(std::string_view type) {
  for (const std::string_view space : {"device ", "constant ", "threadgroup "})
    if (type.starts_with(space) || type.find(" " + std::string(space)) != std::string_view::npos)
      return space;
  return "";
}

// "cannot initialize a variable of type 'constant float *' with an lvalue of type 'device …'".
bool initialises_across(std::string_view message) {
  constexpr std::string_view start = "cannot initialize a variable of type '";
  if (!message.starts_with(start)) return false;
  const auto end = message.find('\'', start.size());
  const auto from = message.rfind(" of type '");
  if (end == std::string_view::npos || from == std::string_view::npos || from <= end) return false;
  const auto to = message.substr(start.size(), end - start.size());
  return to.ends_with("*") && space_in(to) != space_in(message.substr(from + 10));
}

void check_initialisers(const Unit& unit, Reporter& report) {
  const auto pointers = varDecl(hasType(pointerType()), hasInitializer(expr())).bind("variable");
  for (const auto& found : match(pointers, unit)) {
    const auto& variable = *found.getNodeAs<clang::VarDecl>("variable");
    const auto to = variable.getType();
    const auto& value = *variable.getInit()->IgnoreParenImpCasts();
    const auto from = value.getType();
    if (!is_settled(to) || !is_settled(from) || !from->isPointerType() || !is_plain(value) ||
        to->getContainedAutoType() ||
        space_of(to->getPointeeType()) == space_of(from->getPointeeType()) ||
        takes_any(unit, variable.getTypeSourceInfo(), from->getPointeeType()))
      continue;
    report(variable.getLocation(),
           fmt::format("cannot initialize a variable of type '{}' with an lvalue of type '{}'",
                       name_of(to, unit), name_of(from, unit)));
  }
}

}  // namespace

extern constinit const Rule address_space{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit&, const Diagnostic& diagnostic, Finding&) {
          const bool is_ours = diagnostic.message.find("address space") != std::string::npos ||
                               initialises_across(diagnostic.message);
          return is_ours && diagnostic.severity == Severity::error ? DiagnosticMatch::finding
                                                                   : DiagnosticMatch::none;
        },
    .check =
        [](const Unit& unit, Reporter& report) {
          check_written(unit, report);
          check_casts(unit, report);
          check_arguments(unit, report);
          check_initialisers(unit, report);
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
