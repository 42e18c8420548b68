#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

#include "lint/analysis/functions/signatures.h"
#include "lint/analysis/matchers.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// 'long long' and __int128, wherever they are written.
void check_scalars(const Unit& unit, Reporter& report) {
  const auto scalars = typeLoc(loc(builtinType().bind("type"))).bind("written");
  for (const auto& found : match(scalars, unit)) {
    const auto place = found.getNodeAs<clang::TypeLoc>("written")->getBeginLoc();
    switch (found.getNodeAs<clang::BuiltinType>("type")->getKind()) {
      case clang::BuiltinType::LongLong:
      case clang::BuiltinType::ULongLong:
        report(place, "'long long' is not supported in Metal");
        break;
      case clang::BuiltinType::Int128:
      case clang::BuiltinType::UInt128:
        report(place, "__int128 is not supported on this target");
        break;
      default:
        break;
    }
  }
}

// Arrays without a constant length of at least one.
void check_arrays(const Unit& unit, Reporter& report) {
  for (const auto& found : match(typeLoc(loc(arrayType())).bind("written"), unit)) {
    const auto written = found.getNodeAs<clang::TypeLoc>("written")->getAs<clang::ArrayTypeLoc>();
    if (written.isNull()) continue;
    const auto* type = written.getTypePtr();
    const auto place = written.getBracketsRange().getBegin();
    if (llvm::isa<clang::VariableArrayType>(type))
      report(place, "variable length arrays are not supported in Metal");
    const auto* constant = llvm::dyn_cast<clang::ConstantArrayType>(type);
    if (constant && constant->getSize() == 0 && written.getSizeExpr())
      report(place, "zero-length arrays are not permitted in C++");
  }
  for (const auto& found : match(fieldDecl(hasType(incompleteArrayType())).bind("field"), unit))
    report(found.getNodeAs<clang::FieldDecl>("field")->getLocation(),
           "flexible array members are a C99 feature");
}

// Metal has them since metal1.2.
void check_unions(const Unit& unit, Reporter& report) {
  if (unit.version().number >= 120) return;
  for (const auto& found : match(recordDecl(isUnion()).bind("union"), unit))
    report(found.getNodeAs<clang::RecordDecl>("union")->getLocation(),
           "unions are not supported in Metal");
}

// Whether `#pragma METAL internals : enable` holds at a place: headers and libraries derive
// classes.
bool has_internals(clang::SourceLocation place, const clang::SourceManager& files) {
  constexpr llvm::StringRef pragma = "METAL internals";
  for (place = files.getExpansionLoc(place); place.isValid();) {
    const auto [file, offset] = files.getDecomposedLoc(place);
    const auto text = files.getBufferData(file).take_front(offset);
    if (const auto at = text.rfind(pragma); at != llvm::StringRef::npos)
      return text.substr(at).take_until([](char c) { return c == '\n'; }).contains("enable");
    place = files.getIncludeLoc(file);
  }
  return false;
}

void check_bases(const Unit& unit, Reporter& report) {
  const auto& files = unit.ast().getSourceManager();
  for (const auto& found : match(cxxRecordDecl(isDefinition()).bind("class"), unit)) {
    const auto& derived = *found.getNodeAs<clang::CXXRecordDecl>("class");
    // A virtual base is another rule's to refuse.
    if (derived.getNumBases() > 0 && derived.getNumVBases() == 0 &&
        !llvm::isa<clang::ClassTemplateSpecializationDecl>(derived) && !derived.isLambda() &&
        !has_internals(derived.getLocation(), files))
      report(derived.bases_begin()->getBeginLoc(), "derived classes are not supported in Metal");
  }
}

void check_expressions(const Unit& unit, Reporter& report) {
  for (const auto& found : match(cxxNoexceptExpr().bind("expression"), unit))
    report(found.getNodeAs<clang::Expr>("expression")->getBeginLoc(),
           "'noexcept' is not supported in Metal");
  for (const auto& found : match(cxxDynamicCastExpr().bind("expression"), unit))
    report(found.getNodeAs<clang::Expr>("expression")->getBeginLoc(),
           "'dynamic_cast' is not supported in Metal");
  for (const auto& found : match(asmStmt().bind("statement"), unit))
    report(found.getNodeAs<clang::Stmt>("statement")->getBeginLoc(), "illegal asm statement");
  // What is prebuilt stays where it is.
  for (const auto* declaration : unit.ast().getTranslationUnitDecl()->noload_decls())
    if (llvm::isa<clang::FileScopeAsmDecl>(declaration) &&
        unit.is_users(declaration->getLocation()))
      report(declaration->getLocation(), "illegal asm statement");
}

void check_functions(const Unit& unit, Reporter& report) {
  for (const auto& found : match(functionDecl().bind("function"), unit)) {
    const auto& function = *found.getNodeAs<clang::FunctionDecl>("function");
    if (function.isImplicit() || function.isTemplateInstantiation()) continue;
    // Apple's parser takes it on member functions, where MLX has it.
    if (const auto range = function.getExceptionSpecSourceRange();
        range.isValid() && !llvm::isa<clang::CXXMethodDecl>(function))
      report(range.getBegin(), "'noexcept' is not supported in Metal");
    const auto stage = stage_of(function, unit);
    if (llvm::isa<clang::CXXMethodDecl>(function) && stage != FunctionStage::none)
      report(function.getLocation(),
             fmt::format("{} function cannot be a member function", stage_name(stage)));
    if (function.isMain() && stage == FunctionStage::none)
      report(function.getLocation(), "non-qualified function cannot be called 'main'");
  }
}

}  // namespace

extern constinit const Rule unsupported_construct{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          check_scalars(unit, report);
          check_arrays(unit, report);
          check_unions(unit, report);
          check_bases(unit, report);
          check_expressions(unit, report);
          check_functions(unit, report);
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
