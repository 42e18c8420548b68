#include "lint/insight.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <fmt/format.h>

#include "lint/matchers.h"
#include "lint/metal/messages.h"

namespace msci {
namespace {

// Finds what the name at a place refers to.
class Finder : public clang::RecursiveASTVisitor<Finder> {
 public:
  Finder(const Unit& unit, Location location) : unit_(unit), location_(location) {}

  // The nearest to the place wins: what is met last lies innermost.
  const clang::NamedDecl* found() const { return found_; }
  Range range() const { return range_; }

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitNamedDecl(clang::NamedDecl* declaration) {
    return take(declaration->getLocation(), declaration);
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    return take(reference->getLocation(), reference->getDecl());
  }
  bool VisitMemberExpr(clang::MemberExpr* member) {
    return take(member->getMemberLoc(), member->getMemberDecl());
  }
  bool VisitOverloadExpr(clang::OverloadExpr* names) {
    if (names->getNumDecls() > 0) take(names->getNameLoc(), *names->decls_begin());
    return true;
  }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) {
    return take(type.getNameLoc(), type.getDecl());
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc type) { return take(type.getNameLoc(), type.getDecl()); }
  bool VisitTemplateSpecializationTypeLoc(clang::TemplateSpecializationTypeLoc type) {
    return take(type.getTemplateNameLoc(),
                type.getTypePtr()->getTemplateName().getAsTemplateDecl());
  }

 private:
  // Always goes on: an instantiation, which comes later, knows more than its template.
  bool take(clang::SourceLocation name, const clang::NamedDecl* declaration) {
    const auto range = unit_.locate(clang::SourceRange(name));
    const bool is_there = declaration && range.begin <= location_ && location_ <= range.end;
    if (is_there && range.begin.line != 0) {
      found_ = declaration;
      range_ = range;
    }
    return true;
  }

  const Unit& unit_;
  Location location_;
  const clang::NamedDecl* found_ = nullptr;
  Range range_;
};

// Clang's way to write a declaration, without its body.
std::string written(const clang::NamedDecl& declaration) {
  auto policy = declaration.getASTContext().getPrintingPolicy();
  policy.TerseOutput = true;
  policy.PolishForDeclaration = true;
  policy.SuppressTagKeyword = true;
  std::string text;
  llvm::raw_string_ostream out(text);
  declaration.print(out, policy);
  return metal_words(out.str(), "");
}

std::string_view word_of(Space space) {
  switch (space) {
    case Space::device:
      return "device ";
    case Space::constant:
      return "constant ";
    case Space::threadgroup:
      return "threadgroup ";
    case Space::thread:
      return "";
  }
  return "";
}

// A type by the name that Metal has for it, where our headers make it by means of their own.
std::string type_name(clang::QualType type) {
  type = type.getCanonicalType();
  if (type->isReferenceType() || type->isPointerType()) {
    const auto to = type->getPointeeType();
    return fmt::format("{}{}{}", word_of(space_of(to)), type_name(to),
                       type->isPointerType() ? "*" : "&");
  }
  if (const auto* vector = type->getAs<clang::ExtVectorType>())
    return fmt::format("{}{}", type_name(vector->getElementType()), vector->getNumElements());
  if (type->isUnsignedIntegerType() && !type->isBooleanType() && !type->isEnumeralType()) {
    const auto* builtin = type->getAs<clang::BuiltinType>();
    if (builtin && builtin->getKind() == clang::BuiltinType::UInt) return "uint";
    if (builtin && builtin->getKind() == clang::BuiltinType::UShort) return "ushort";
    if (builtin && builtin->getKind() == clang::BuiltinType::UChar) return "uchar";
    if (builtin && builtin->getKind() == clang::BuiltinType::ULong) return "ulong";
  }
  clang::PrintingPolicy policy((clang::LangOptions()));
  policy.SuppressTagKeyword = true;
  policy.Bool = true;
  policy.SuppressScope = true;
  return metal_words(type.getUnqualifiedType().getAsString(policy), "");
}

// As it is called at the place: with the types that it has there.
std::string called(const clang::FunctionDecl& function) {
  std::string parameters;
  for (const auto* parameter : function.parameters())
    parameters +=
        fmt::format("{}{}{}{}", parameters.empty() ? "" : ", ", type_name(parameter->getType()),
                    parameter->getName().empty() ? "" : " ", parameter->getName().str());
  return fmt::format("{} {}({})", type_name(function.getReturnType()), function.getNameAsString(),
                     parameters);
}

std::string_view meaning_of(std::string_view function) {
  struct Entry {
    std::string_view name;
    std::string_view meaning;
  };
  constexpr Entry entries[] = {
#define MSCI_FUNCTION(name, meaning) {#name, meaning},
#include "lint/functions.def"
#undef MSCI_FUNCTION
  };
  for (const auto& [name, meaning] : entries)
    if (name == function) return meaning;
  return {};
}

}  // namespace

std::optional<Insight> insight_at(const Unit& unit, Location location) {
  Finder finder(unit, location);
  for (auto* declaration : unit.ast().getTranslationUnitDecl()->noload_decls())
    if (unit.is_users(declaration->getLocation())) finder.TraverseDecl(declaration);
  const auto* found = finder.found();
  if (!found || found->getNameAsString().starts_with('$')) return std::nullopt;  // a help of ours
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(found);
  Insight insight{.range = finder.range(),
                  .name = found->getNameAsString(),
                  .is_metals = !unit.is_users(found->getLocation())};
  const bool has_types = function && !function->isTemplated();
  insight.declaration = insight.is_metals && has_types ? called(*function) : written(*found);
  if (insight.is_metals)
    insight.meaning = meaning_of(insight.name);
  else
    insight.place = unit.locate(clang::SourceRange(found->getLocation()));
  return insight;
}

}  // namespace msci
