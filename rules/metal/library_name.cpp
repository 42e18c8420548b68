#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// The type of all parameters, if they have one and it is a vector.
const clang::VectorType* common_vector(const clang::FunctionDecl& function) {
  if (function.getNumParams() == 0 || function.isVariadic()) return nullptr;
  const auto type = function.getParamDecl(0)->getType().getCanonicalType().getUnqualifiedType();
  for (const auto* parameter : function.parameters())
    if (parameter->getType().getCanonicalType().getUnqualifiedType() != type) return nullptr;
  return type->getAs<clang::VectorType>();
}

// Whether a function template of the Metal headers takes N vectors of these elements. Its result
// says which: $floats<A, B> is a vector of floating-point numbers. In Metal, each is a function.
bool takes(const clang::FunctionTemplateDecl& library, unsigned parameters,
           clang::QualType element) {
  const auto& function = *library.getTemplatedDecl();
  if (function.getNumParams() != parameters) return false;
  const auto result = function.getReturnType().getAsString();
  if (result.starts_with("$floats<") || result.starts_with("$element<$floats<"))
    return element->isFloatingType();
  if (result.starts_with("$integers<") || result.starts_with("$whole<"))
    return element->isIntegerType();
  return result.starts_with("$numbers<");
}

const clang::NamespaceDecl* namespace_metal(const Unit& unit) {
  auto& ast = unit.ast();
  for (auto* found : ast.getTranslationUnitDecl()->lookup(&ast.Idents.get("metal")))
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(found)) return space;
  return nullptr;
}

bool uses_metal(const Unit& unit) {
  for (const auto* directive : unit.ast().getTranslationUnitDecl()->using_directives()) {
    const auto* space = directive->getNominatedNamespace();
    if (unit.is_users(directive->getLocation()) && space && space->getName() == "metal")
      return true;
  }
  return false;
}

// Geometric functions of which Apple's compiler names the overloads: `distance(1.0f, 2.0f)` is
// ambiguous between them. That the others are no templates, one author says.
constexpr std::string_view overloaded[] = {"distance", "distance_squared", "length",
                                           "length_squared"};

// How sure it is that a function of the library has these parameters, too.
std::optional<Severity> twin_of(const clang::FunctionDecl& function, const Unit& unit) {
  const auto* vector = common_vector(function);
  const auto* metal = namespace_metal(unit);
  if (!vector || !metal || !function.getIdentifier()) return std::nullopt;
  for (auto* found : metal->lookup(function.getDeclName())) {
    const auto* library = llvm::dyn_cast<clang::FunctionTemplateDecl>(found->getUnderlyingDecl());
    if (!library || unit.is_users(library->getLocation()) ||
        !takes(*library, function.getNumParams(), vector->getElementType()))
      continue;
    const auto file = unit.ast().getSourceManager().getFilename(library->getLocation());
    const bool is_sure = !file.ends_with("metal_geometric") ||
                         std::ranges::count(overloaded, std::string_view(function.getName())) > 0;
    return is_sure ? Severity::error : Severity::warning;
  }
  return std::nullopt;
}

}  // namespace

extern constinit const Rule library_name{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          if (!uses_metal(unit)) return;
          std::map<const clang::FunctionDecl*, std::optional<Severity>> known;
          const auto calls =
              callExpr(callee(functionDecl(hasDeclContext(translationUnitDecl())).bind("callee")))
                  .bind("call");
          for (const auto& found : match(calls, unit)) {
            const auto& call = *found.getNodeAs<clang::CallExpr>("call");
            const auto* callee = found.getNodeAs<clang::FunctionDecl>("callee")->getCanonicalDecl();
            const auto* name =
                llvm::dyn_cast<clang::DeclRefExpr>(call.getCallee()->IgnoreParenImpCasts());
            if (!name || name->hasQualifier() || !unit.is_users(callee->getLocation()) ||
                callee->isTemplateInstantiation())
              continue;
            const auto [place, is_new] = known.try_emplace(callee);
            if (is_new) place->second = twin_of(*callee, unit);
            if (!place->second) continue;
            report(call.getBeginLoc(),
                   fmt::format("call to '{}' is ambiguous", callee->getNameAsString()))
                .note(callee->getLocation(), "candidate function; another is the library's")
                .severity(*place->second);
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
