#include "lint/arguments.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "lint/matchers.h"
#include "lint/metal/messages.h"

namespace msci {
namespace {

constexpr Scalar whole(std::size_t bytes) { return {false, bytes}; }
constexpr Scalar real(std::size_t bytes) { return {true, bytes}; }

constexpr std::array<std::pair<std::string_view, Scalar>, 42> scalars = {
    {{"float", real(4)},           {"half", real(2)},          {"bfloat", real(2)},
     {"double", real(8)},          {"cl_float", real(4)},      {"cl_double", real(8)},
     {"cl_half", real(2)},         {"__fp16", real(2)},        {"_Float16", real(2)},
     {"simd_float", real(4)},      {"Float32", real(4)},       {"char", whole(1)},
     {"uchar", whole(1)},          {"int8_t", whole(1)},       {"uint8_t", whole(1)},
     {"cl_char", whole(1)},        {"cl_uchar", whole(1)},     {"short", whole(2)},
     {"ushort", whole(2)},         {"int16_t", whole(2)},      {"uint16_t", whole(2)},
     {"unsigned short", whole(2)}, {"int", whole(4)},          {"uint", whole(4)},
     {"unsigned", whole(4)},       {"unsigned int", whole(4)}, {"int32_t", whole(4)},
     {"uint32_t", whole(4)},       {"cl_int", whole(4)},       {"cl_uint", whole(4)},
     {"simd_int", whole(4)},       {"simd_uint", whole(4)},    {"ulong", whole(8)},
     {"int64_t", whole(8)},        {"uint64_t", whole(8)},     {"cl_long", whole(8)},
     {"cl_ulong", whole(8)},       {"size_t", whole(8)},       {"NSUInteger", whole(8)},
     {"NSInteger", whole(8)},      {"UInt32", whole(4)},       {"signed char", whole(1)}}};

// The one word, or two, that name the type: without spaces, qualifiers, pointers and vector sizes.
std::string core_of(std::string_view type) {
  std::string core;
  for (std::size_t at = 0; at < type.size();) {
    const auto end = std::min(type.find_first_of(" *&[", at), type.size());
    auto word = type.substr(at, end - at);
    at = end + 1;
    for (std::string_view scope : {"std::", "metal::", "simd::"})
      if (word.starts_with(scope)) word.remove_prefix(scope.size());
    constexpr std::array<std::string_view, 8> qualifiers = {
        "device", "constant", "const", "volatile", "thread", "static", "constexpr", "inline"};
    if (word.empty() || std::find(qualifiers.begin(), qualifiers.end(), word) != qualifiers.end())
      continue;
    core += (core.empty() ? "" : " ") + std::string(word);
  }
  for (std::string_view prefix : {"packed_", "atomic_", "simd_"})
    if (core.starts_with(prefix)) core = core.substr(prefix.size());
  if (core.starts_with("atomic<") && core.ends_with('>')) core = core.substr(7, core.size() - 8);
  return core;
}

// The element of a pointer, or what a reference refers to.
clang::QualType element_of(clang::QualType type) {
  return type->isReferenceType() ? type.getNonReferenceType() : type->getPointeeType();
}

std::optional<Scalar> scalar_of(clang::QualType type, const clang::ASTContext& ast) {
  type = type.getCanonicalType();
  if (const auto* vector = type->getAs<clang::VectorType>())
    return scalar_of(vector->getElementType(), ast);
  if (type->isBooleanType() || type->isEnumeralType()) return std::nullopt;
  if (type->isArithmeticType())
    return Scalar{type->isFloatingType(),
                  static_cast<std::size_t>(ast.getTypeSizeInChars(type).getQuantity())};
  // Packed vectors and atomics are templates over the type of their numbers.
  const auto* record = type->getAsCXXRecordDecl();
  const auto* made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (!made || made->getTemplateArgs().size() == 0) return std::nullopt;
  const auto name = made->getName();
  const auto& first = made->getTemplateArgs()[0];
  if ((name != "atomic" && name != "$packed") || first.getKind() != clang::TemplateArgument::Type)
    return std::nullopt;
  return scalar_of(first.getAsType(), ast);
}

}  // namespace

std::optional<Scalar> scalar_of(std::string_view type) {
  auto core = core_of(type);
  if (core.size() > 1 && core.back() >= '2' && core.back() <= '4' &&
      std::isalpha(static_cast<unsigned char>(core[core.size() - 2])))
    core.pop_back();
  const auto found = std::find_if(scalars.begin(), scalars.end(),
                                  [&](const auto& each) { return each.first == core; });
  if (found == scalars.end()) return std::nullopt;
  return found->second;
}

std::size_t lanes_of(std::string_view type) {
  const auto core = core_of(type);
  const bool has_size = core.size() > 1 && core.back() >= '2' && core.back() <= '4' &&
                        std::isalpha(static_cast<unsigned char>(core[core.size() - 2]));
  return has_size ? static_cast<std::size_t>(core.back() - '0') : 1;
}

std::vector<BufferArgument> buffer_arguments(const Kernel& kernel, const Unit& unit) {
  std::vector<BufferArgument> all;
  for (const auto* parameter : kernel.declaration->parameters()) {
    const auto attribute = unit.attribute(*parameter, "buffer");
    const auto type = parameter->getType();
    if (!attribute || !attribute->value || *attribute->value < 0) continue;
    if (!type->isPointerType() && !type->isReferenceType()) continue;
    const auto element = element_of(type);
    BufferArgument argument{
        .index = static_cast<unsigned>(*attribute->value),
        .name = parameter->getNameAsString(),
        .parameter = parameter,
        .is_reference = type->isReferenceType(),
        .is_writable = space_of(element) == Space::device && !element.isConstQualified(),
        .scalar = scalar_of(element, unit.ast())};
    if (!element->isIncompleteType() && !element->isDependentType())
      argument.bytes =
          static_cast<std::size_t>(unit.ast().getTypeSizeInChars(element).getQuantity());
    argument.spelling =
        metal_words(element.getUnqualifiedType().getAsString(unit.ast().getPrintingPolicy()), "");
    all.push_back(std::move(argument));
  }
  return all;
}

}  // namespace msci
