#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/TypeLoc.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "compiler/frontend/clang_messages.h"
#include "lint/analysis/expressions.h"
#include "lint/analysis/matchers.h"
#include "lint/analysis/raw_tokens.h"
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

// `Name(x)`, where a name may stand for a vector, is a call of the library.
void check_named_casts(const Unit& unit, Reporter& report) {
  const auto calls = callExpr(callee(functionDecl(hasName("$make")).bind("maker"))).bind("call");
  for (const auto& found : match(calls, unit)) {
    const auto& call = *found.getNodeAs<clang::CallExpr>("call");
    const auto to =
        found.getNodeAs<clang::FunctionDecl>("maker")->getReturnType().getCanonicalType();
    if (call.getNumArgs() != 1 || !is_settled(to) || !to->isPointerType()) continue;
    const auto& source = *call.getArg(0)->IgnoreParenImpCasts();
    const auto from = source.getType();
    if (!is_settled(from) || !from->isPointerType() || !is_plain(source) ||
        space_of(from->getPointeeType()) == space_of(to->getPointeeType()) ||
        takes_any(unit, nullptr, from->getPointeeType()))
      continue;
    report(call.getBeginLoc(),
           fmt::format("cast from '{}' to '{}' converts between mismatching address spaces",
                       name_of(from, unit), name_of(to, unit)));
  }
}

// A call whose argument changes its space, since metal4.1: until then, check_conversions().
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

// --- Up to metal4.0, objects that are taken for those of another space.

const clang::Expr& inner(const clang::Expr& expression) {
  return *expression.IgnoreParenImpCasts();
}

// The implicit conversions at an expression are right: library functions take any space.
void allow(const clang::Expr& expression, std::set<const clang::Expr*>& allowed) {
  for (const auto* e = &expression; const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e);
       e = cast->getSubExpr()->IgnoreParens())
    allowed.insert(cast);
}

// Objects of member functions are checked apart; what a library or the compiler itself wrote takes
// objects in any space.
std::set<const clang::Expr*> allowed_conversions(const Unit& unit) {
  std::set<const clang::Expr*> allowed;
  for (const auto& found : match(callExpr().bind("call"), unit)) {
    const auto& call = *found.getNodeAs<clang::CallExpr>("call");
    const auto* callee = call.getDirectCallee();
    const bool is_free = !callee || !unit.is_users(callee->getLocation()) || callee->isImplicit() ||
                         callee->isDefaulted();
    const bool has_object = llvm::isa<clang::CXXOperatorCallExpr>(call) && callee &&
                            llvm::isa<clang::CXXMethodDecl>(callee);
    for (unsigned i = 0; i < call.getNumArgs(); ++i)
      if (is_free || (has_object && i == 0)) allow(*call.getArg(i)->IgnoreParens(), allowed);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(call.getCallee()->IgnoreParens()))
      allow(*member->getBase()->IgnoreParens(), allowed);
  }
  for (const auto& found : match(cxxConstructExpr().bind("construction"), unit)) {
    const auto& construction = *found.getNodeAs<clang::CXXConstructExpr>("construction");
    const auto& made = *construction.getConstructor();
    if (unit.is_users(made.getLocation()) && !made.isImplicit() && !made.isDefaulted()) continue;
    for (const auto* argument : construction.arguments()) allow(*argument->IgnoreParens(), allowed);
  }
  return allowed;
}

// Whether the compiler makes the one of the other: all spaces become `thread`, which is its
// default, and constant memory is a part of what it has for the device's.
bool converts(Space from, Space to) {
  return from != to && (to == Space::thread || (from == Space::constant && to == Space::device));
}

// Whether an implicit cast makes a pointer to, or a name of, an object of one space from one that
// lies elsewhere. A const reference may bind to a copy.
bool changes_space(const clang::ImplicitCastExpr& cast) {
  const auto to = cast.getType(), from = cast.getSubExpr()->getType();
  if (cast.isPartOfExplicitCast() || !is_settled(to) || !is_settled(from)) return false;
  if (to->isPointerType())
    return from->isPointerType() &&
           converts(space_of(from->getPointeeType()), space_of(to->getPointeeType()));
  return cast.isGLValue() && cast.getSubExpr()->isGLValue() && !to.isConstQualified() &&
         converts(space_of(from), space_of(to));
}

// What the converted value is for. Its parents are known only here, since that takes long.
std::string conversion_fault(const clang::ImplicitCastExpr& cast, const Unit& unit) {
  const auto to = name_of(cast.getType(), unit);
  const auto from = name_of(inner(cast).getType(), unit);
  auto parents = unit.ast().getParents(cast);
  while (!parents.empty()) {
    const auto& parent = parents[0];
    if (const auto* call = parent.get<clang::CallExpr>())
      if (const auto* callee = call->getDirectCallee())
        return fmt::format("no matching function for call to '{}'", callee->getNameAsString());
    if (parent.get<clang::CXXConstructExpr>())
      return fmt::format("no matching constructor: no conversion from '{}' to '{}'", from, to);
    if (parent.get<clang::BinaryOperator>())
      return fmt::format("assigning '{}' to '{}' changes address space of pointer", from, to);
    if (parent.get<clang::ReturnStmt>())
      return fmt::format("cannot initialize return object of type '{}' with an lvalue of type '{}'",
                         to, from);
    if (const auto* list = parent.get<clang::InitListExpr>(); list && to.back() == '*')
      return fmt::format("cannot initialize {} of type '{}' with an lvalue of type '{}'",
                         list->getType()->isArrayType() ? "an array element" : "a member subobject",
                         to, from);
    if (!parent.get<clang::Expr>()) break;
    parents = unit.ast().getParents(parent);
  }
  return cast.getType()->isPointerType()
             ? fmt::format("cannot initialize a variable of type '{}' with an lvalue of type '{}'",
                           to, from)
             : fmt::format("reference to type '{}' could not bind to an lvalue of type '{}'", to,
                           from);
}

void check_conversions(const Unit& unit, Reporter& report) {
  std::optional<std::set<const clang::Expr*>> allowed;
  for (const auto& found : match(implicitCastExpr().bind("cast"), unit)) {
    const auto& cast = *found.getNodeAs<clang::ImplicitCastExpr>("cast");
    if (!changes_space(cast)) continue;
    if (!allowed) allowed = allowed_conversions(unit);
    if (allowed->contains(&cast)) continue;
    report(cast.getBeginLoc(), conversion_fault(cast, unit))
        .note(cast.getSourceRange(),
              fmt::format("no known conversion from '{}' to '{}': their address spaces differ",
                          name_of(inner(cast).getType(), unit), name_of(cast.getType(), unit)));
  }
}

// Whether a source has other functions of this name, which may be for other spaces.
bool has_overloads(const clang::FunctionDecl& function) {
  const auto others = function.getDeclContext()->lookup(function.getDeclName());
  return std::distance(others.begin(), others.end()) > 1;
}

// A `thread T*` of a template that takes another space: here, T has the space. In Metal, the
// parameter's own space rules that out.
void check_deduced(const Unit& unit, Reporter& report) {
  const auto calls = callExpr(callee(functionDecl(isTemplateInstantiation()).bind("callee")));
  for (const auto& found : match(calls.bind("call"), unit)) {
    const auto& callee = *found.getNodeAs<clang::FunctionDecl>("callee");
    const auto* pattern = callee.getTemplateInstantiationPattern();
    if (!pattern || !unit.is_users(callee.getLocation()) ||
        pattern->getNumParams() != callee.getNumParams())
      continue;
    for (unsigned i = 0; i < callee.getNumParams(); ++i) {
      const auto type = callee.getParamDecl(i)->getType();
      const auto* written = pattern->getParamDecl(i)->getTypeSourceInfo();
      if (!is_settled(type) || (!type->isPointerType() && !type->isLValueReferenceType()) ||
          space_of(type->getPointeeType()) == Space::thread || !written ||
          written->getType()->getPointeeType().isNull() ||
          !written->getType()->getPointeeType()->isDependentType() ||
          written_space(unit, written->getTypeLoc()) != WrittenSpace::thread ||
          has_overloads(*pattern))
        continue;
      report(found.getNodeAs<clang::CallExpr>("call")->getBeginLoc(),
             fmt::format("no matching function for call to '{}'", callee.getNameAsString()))
          .note(callee.getParamDecl(i)->getLocation(),
                fmt::format("this parameter is for objects of the thread, not for '{}'",
                            name_of(type, unit)));
      break;
    }
  }
}

constexpr std::string_view qualifiers[] = {"const",  "volatile", "noexcept",   "thread",
                                           "device", "constant", "threadgroup"};

// Whether any declaration of a member function with this name says that its objects may lie in this
// space; or something that only the preprocessor knows. Here one function stands for all of them.
bool takes_objects_in(const Unit& unit, const clang::CXXMethodDecl& member,
                      std::string_view space) {
  const auto& record = *member.getParent();
  const auto place = unit.locate(record.getBraceRange());
  if (!place.is_known() || record.getLocation().isMacroID() || member.getLocation().isMacroID())
    return true;
  const FileTokens tokens(unit, place);
  const auto& words = tokens.words();
  const auto name = member.getIdentifier() ? member.getName() : llvm::StringRef("operator");
  const auto first = tokens.at(place);
  const auto last = closing_token(words, first);
  for (auto i = first; i < last && i < words.size(); ++i) {
    if (words[i].text != std::string_view(name)) continue;
    auto open = i + 1;
    if (name == "operator" && open + 1 < words.size() && words[open].is("(")) open += 2;
    while (open < last && !words[open].is("(") && !words[open].is(";")) ++open;
    if (open >= last || !words[open].is("(")) continue;
    for (auto j = closing_token(words, open) + 1; j < last; ++j) {
      if (words[j].is("{") || words[j].is(";") || words[j].is(":") || words[j].is("=") ||
          words[j].is("[") || words[j].is("->"))
        break;
      const bool is_known = std::ranges::count(qualifiers, words[j].text) > 0;
      if (words[j].text == space || !is_known) return true;
    }
  }
  return false;
}

std::string_view word_of(Space space) {
  switch (space) {
    case Space::thread:
      return "thread";
    case Space::device:
      return "device";
    case Space::constant:
      return "constant";
    case Space::threadgroup:
      return "threadgroup";
  }
  return "";
}

void check_object(const clang::CallExpr& call, const clang::Expr& object, bool is_pointer,
                  const Unit& unit, Reporter& report) {
  const auto* member = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.getDirectCallee());
  if (!member || !member->isImplicitObjectMemberFunction() || member->isImplicit() ||
      member->isDefaulted() || member->getParent()->isLambda() ||
      !unit.is_users(member->getLocation()))
    return;
  const auto type = inner(object).getType();
  if (!is_settled(type) || (is_pointer && !type->isPointerType())) return;
  const auto object_type = is_pointer ? type->getPointeeType() : type;
  const auto space = space_of(object_type);
  if (space == Space::thread || takes_objects_in(unit, *member, word_of(space))) return;
  report(call.getBeginLoc(),
         fmt::format("cannot initialize object parameter of type '{}' with an expression of type "
                     "'{}'",
                     name_of(unit.ast().getCanonicalTagType(member->getParent()), unit),
                     name_of(object_type, unit)))
      .note(member->getLocation(),
            fmt::format("write `{}` behind the parameters of this function", word_of(space)));
}

void check_objects(const Unit& unit, Reporter& report) {
  for (const auto& found : match(cxxMemberCallExpr().bind("call"), unit)) {
    const auto& call = *found.getNodeAs<clang::CXXMemberCallExpr>("call");
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(call.getCallee()->IgnoreParens()))
      check_object(call, *member->getBase(), member->isArrow(), unit, report);
  }
  for (const auto& found : match(cxxOperatorCallExpr().bind("call"), unit)) {
    const auto& call = *found.getNodeAs<clang::CXXOperatorCallExpr>("call");
    if (call.getNumArgs() > 0) check_object(call, *call.getArg(0), false, unit, report);
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
          check_named_casts(unit, report);
          if (has_generic_space(unit.version())) {
            check_arguments(unit, report);
            check_initialisers(unit, report);
          } else {
            check_conversions(unit, report);
            check_deduced(unit, report);
            check_objects(unit, report);
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
