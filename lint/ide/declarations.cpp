#include "lint/ide/declarations.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <cassert>
#include <span>
#include <vector>

#include "compiler/frontend/attributes.h"
#include "compiler/frontend/clang_messages.h"
#include "compiler/frontend/preamble/headers.h"
#include "lint/analysis/expressions.h"

namespace msci {
namespace {

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

struct Meaning {
  std::string_view name;
  std::string_view meaning;
};

// The lines "//! name: meaning" of the Metal headers.
std::vector<Meaning> meanings_in_headers() {
  constexpr std::string_view mark = "\n//! ";
  std::vector<Meaning> meanings;
  for (const auto& header : metal_headers())
    for (auto at = header.text.find(mark); at != std::string_view::npos;
         at = header.text.find(mark, at + 1)) {
      const auto begin = at + mark.size();
      const auto line = header.text.substr(begin, header.text.find('\n', begin) - begin);
      const auto colon = line.find(": ");
      assert(colon != std::string_view::npos && "the lines of our own headers have this form");
      meanings.push_back({line.substr(0, colon), line.substr(colon + 2)});
    }
  return meanings;
}

std::string_view meaning_in(std::span<const Meaning> meanings, std::string_view name) {
  for (const auto& each : meanings)
    if (each.name == name) return each.meaning;
  return {};
}

// "device const float* q = x + i" for `auto q = x + i`; empty for other declarations.
std::string with_deduced_type(const clang::NamedDecl& declaration, std::string_view text) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration);
  if (!variable || !variable->getTypeSourceInfo()) return {};
  const auto type = variable->getType();
  if (!variable->getTypeSourceInfo()->getType()->getContainedAutoType() ||
      type->isUndeducedType() || type->isDependentType() || type->containsErrors())
    return {};
  const auto value = text.find(" = ");
  const bool is_value = !type->isPointerType() && !type->isReferenceType();
  return fmt::format("{}{} {}{}", is_value && type.isConstQualified() ? "const " : "",
                     type_name(type), variable->getName().str(),
                     value == std::string_view::npos ? "" : text.substr(value));
}

}  // namespace

std::string type_name(clang::QualType type) {
  type = type.getCanonicalType();
  if (type->isReferenceType() || type->isPointerType()) {
    const auto to = type->getPointeeType();
    const auto space = space_of(to);
    const bool says_const = to.isConstQualified() && space != Space::constant;
    return fmt::format("{}{}{}{}", word_of(space), says_const ? "const " : "", type_name(to),
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
  return to_metal_terms(type.getUnqualifiedType().getAsString(policy), "");
}

std::string written(const clang::NamedDecl& declaration) {
  auto policy = declaration.getASTContext().getPrintingPolicy();
  policy.TerseOutput = true;
  policy.PolishForDeclaration = true;
  policy.SuppressTagKeyword = true;
  std::string text;
  llvm::raw_string_ostream out(text);
  declaration.print(out, policy);
  text = to_metal_terms(out.str(), "");
  const auto deduced = with_deduced_type(declaration, text);
  return deduced.empty() ? text : deduced;
}

std::string called(const clang::FunctionDecl& function) {
  std::string parameters;
  for (const auto* parameter : function.parameters())
    parameters +=
        fmt::format("{}{}{}{}", parameters.empty() ? "" : ", ", type_name(parameter->getType()),
                    parameter->getName().empty() ? "" : " ", parameter->getName().str());
  return fmt::format("{} {}({})", type_name(function.getReturnType()), function.getNameAsString(),
                     parameters);
}

std::string sketched(const clang::FunctionDecl& function) {
  std::string parameters;
  for (const auto* parameter : function.parameters()) {
    const auto name = parameter->getName().str();
    parameters += fmt::format("{}{}", parameters.empty() ? "" : ", ",
                              name.empty() ? type_name(parameter->getType()) : name);
  }
  return fmt::format("{}({})", function.getNameAsString(), parameters);
}

std::string type_of(const clang::ValueDecl& value) {
  auto policy = value.getASTContext().getPrintingPolicy();
  policy.SuppressTagKeyword = true;
  return to_metal_terms(value.getType().getAsString(policy), "");
}

std::string_view meaning_of(std::string_view function) {
  static const auto meanings = meanings_in_headers();
  return meaning_in(meanings, function);
}

std::string_view meaning_of_attribute(std::string_view attribute) {
  const auto* known = metal_attribute(attribute);
  return known ? known->meaning : std::string_view();
}

}  // namespace msci
