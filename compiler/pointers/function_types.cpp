#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "compiler/pointers/pointers.h"

namespace msci {
namespace {

constexpr llvm::StringRef table_name = "visible_function_table";

// The SYCL dialect has its own number for each of OpenCL's address spaces.
std::string_view word_of(clang::LangAS space) {
  using clang::LangAS;
  if (space == LangAS::sycl_global || space == LangAS::opencl_global) return "device ";
  if (space == LangAS::sycl_global_host || space == LangAS::opencl_global_host) return "constant ";
  if (space == LangAS::sycl_local || space == LangAS::opencl_local) return "threadgroup ";
  return "thread ";
}

const clang::ClassTemplateSpecializationDecl* table_of(clang::QualType type) {
  const auto* made =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  const bool is_table = made && made->getIdentifier() && made->getName() == table_name &&
                        made->getQualifiedNameAsString() == "metal::visible_function_table";
  return is_table ? made : nullptr;
}

std::optional<std::string> held_by(const clang::ClassTemplateSpecializationDecl& table) {
  const auto& arguments = table.getTemplateArgs();
  if (arguments.size() != 1 || arguments[0].getKind() != clang::TemplateArgument::Type)
    return std::nullopt;
  const auto* held = arguments[0].getAsType()->getAs<clang::FunctionProtoType>();
  return held ? std::optional(function_type(*held)) : std::nullopt;
}

}  // namespace

std::string metal_spelling(clang::QualType type) {
  type = type.getCanonicalType();
  if (type->isReferenceType() || type->isPointerType()) {
    const auto to = type->getPointeeType();
    const auto space = word_of(to.getAddressSpace());
    const bool says_const = to.isConstQualified() && space != "constant ";
    return fmt::format("{}{}{}{}", space, says_const ? "const " : "", metal_spelling(to),
                       type->isPointerType() ? "*" : "&");
  }
  if (const auto* vector = type->getAs<clang::ExtVectorType>())
    return fmt::format("{}{}", metal_spelling(vector->getElementType()), vector->getNumElements());
  clang::PrintingPolicy policy((clang::LangOptions()));
  policy.SuppressTagKeyword = true;
  policy.Bool = true;
  policy.SuppressScope = true;
  auto text = type.getUnqualifiedType().getAsString(policy);
  if (text == "_Float16") return "half";
  if (text == "__bf16") return "bfloat";
  if (text.starts_with("unsigned ")) return "u" + text.substr(sizeof "unsigned " - 1);
  return text;
}

std::string function_type(const clang::FunctionProtoType& type) {
  std::vector<std::string> parameters;
  for (const auto each : type.getParamTypes()) parameters.push_back(metal_spelling(each));
  return fmt::format("{}({})", metal_spelling(type.getReturnType()), fmt::join(parameters, ", "));
}

std::optional<std::string> type_in_table(clang::QualType type) {
  const auto* table = table_of(type);
  return table ? held_by(*table) : std::nullopt;
}

std::vector<std::string> table_types(const Unit& unit) {
  auto& ast = unit.ast();
  std::set<std::string> types;
  for (auto* space : ast.getTranslationUnitDecl()->lookup(&ast.Idents.get("metal"))) {
    const auto* metal = llvm::dyn_cast<clang::NamespaceDecl>(space);
    if (!metal) continue;
    for (auto* found : metal->lookup(&ast.Idents.get(table_name)))
      if (auto* table = llvm::dyn_cast<clang::ClassTemplateDecl>(found))
        for (const auto* made : table->specializations())
          if (auto type = held_by(*made)) types.insert(*std::move(type));
  }
  return {types.begin(), types.end()};
}

}  // namespace msci
