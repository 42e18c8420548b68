#include "compiler/constant_values.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Mangle.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/APFloat.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/frontend/function_constants.h"

namespace msci {
namespace {

std::optional<llvm::APInt> parse_bool(llvm::StringRef text) {
  if (text == "true" || text == "1") return llvm::APInt(8, 1);
  if (text == "false" || text == "0") return llvm::APInt(8, 0);
  return std::nullopt;
}

std::optional<llvm::APInt> parse_integer(llvm::StringRef text, unsigned bits, bool is_signed) {
  const bool negative = text.consume_front("-");
  llvm::APInt magnitude;
  if (text.getAsInteger(0, magnitude)) return std::nullopt;
  auto value = magnitude.zext(std::max(magnitude.getBitWidth(), bits) + 1);
  if (negative) value.negate();
  const bool fits = is_signed ? value.isSignedIntN(bits) : value.isIntN(bits);
  return fits ? std::optional(value.trunc(bits)) : std::nullopt;
}

std::optional<llvm::APInt> parse_real(llvm::StringRef text, const llvm::fltSemantics& semantics) {
  llvm::APFloat value(semantics);
  auto status = value.convertFromString(text, llvm::APFloat::rmNearestTiesToEven);
  if (status) return value.bitcastToAPInt();
  llvm::consumeError(status.takeError());
  return std::nullopt;
}

std::optional<llvm::APInt> parse_scalar(const clang::ASTContext& ast, clang::QualType type,
                                        llvm::StringRef text) {
  if (type->isBooleanType()) return parse_bool(text);
  if (type->isRealFloatingType()) return parse_real(text, ast.getFloatTypeSemantics(type));
  if (type->isIntegerType())
    return parse_integer(text, static_cast<unsigned>(ast.getTypeSize(type)),
                         type->isSignedIntegerType());
  return std::nullopt;
}

// "ushort2(1, 2)", "[1, 2]": what stands between the brackets; all of any other text.
std::optional<llvm::StringRef> list_in(llvm::StringRef text, llvm::StringRef type) {
  const bool is_named = text.consume_front(type);
  text = text.trim();
  const bool is_list = (text.consume_front("(") && text.consume_back(")")) ||
                       (!is_named && text.consume_front("[") && text.consume_back("]"));
  return is_list || !is_named ? std::optional(text) : std::nullopt;
}

// One value for each element, or one for all.
std::vector<llvm::APInt> parse(const clang::ASTContext& ast, clang::QualType type,
                               llvm::StringRef text) {
  const auto* vector = type->getAs<clang::VectorType>();
  const auto count = vector ? vector->getNumElements() : 1;
  const auto element = vector ? vector->getElementType() : type;
  const auto list = vector ? list_in(text.trim(), type.getUnqualifiedType().getAsString()) : text;
  if (!list) return {};
  llvm::SmallVector<llvm::StringRef, 4> parts;
  list->split(parts, ',');
  std::vector<llvm::APInt> elements;
  for (const auto part : parts)
    if (const auto bits = parse_scalar(ast, element, vector ? part.trim() : part))
      elements.push_back(*bits);
  if (elements.size() != parts.size()) return {};
  if (elements.size() == 1) elements.resize(count, elements.front());
  return elements.size() == count ? elements : std::vector<llvm::APInt>();
}

std::vector<std::string> names_of(const std::vector<const clang::VarDecl*>& constants) {
  std::vector<std::string> names;
  for (const auto* each : constants) names.push_back(each->getQualifiedNameAsString());
  return names;
}

Error unknown(const std::string& name, const std::vector<const clang::VarDecl*>& constants) {
  if (constants.empty())
    return Error{
        fmt::format("'{}' has no value to set: this source has no function constants", name)};
  return Error{fmt::format("the source has no function constant '{}'; it has {}", name,
                           fmt::join(names_of(constants), ", "))};
}

}  // namespace

Result<std::vector<ConstantValue>> constant_values(const Unit& unit, const ConstantValues& values) {
  std::vector<ConstantValue> result;
  if (values.empty()) return result;
  const auto constants = function_constants(unit);
  for (const auto& [name, text] : values) {
    const auto found = std::find_if(
        constants.begin(), constants.end(),
        [&](const clang::VarDecl* each) { return each->getQualifiedNameAsString() == name; });
    if (found == constants.end()) return unknown(name, constants);
    auto elements = parse(unit.ast(), (*found)->getType(), text);
    if (elements.empty())
      return Error{
          fmt::format("the function constant '{}' has the type {}; '{}' is not one of its "
                      "values",
                      name, (*found)->getType().getUnqualifiedType().getAsString(), text)};
    result.push_back({clang::ASTNameGenerator(unit.ast()).getName(*found), std::move(elements)});
  }
  return result;
}

}  // namespace msci
