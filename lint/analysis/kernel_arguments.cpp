#include "lint/analysis/kernel_arguments.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>

#include <map>
#include <set>

#include "compiler/frontend/clang_messages.h"
#include "lint/analysis/expressions.h"

namespace msci {
namespace {

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

// None for types of Metal, unions and structs with bases.
std::vector<ArgumentMember> members_of(clang::QualType type, const clang::ASTContext& ast) {
  std::vector<ArgumentMember> members;
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || !record->isCompleteDefinition() || record->isDependentType() ||
      record->isUnion() || record->getNumBases() > 0 || record->isInvalidDecl())
    return members;
  const auto& layout = ast.getASTRecordLayout(record);
  for (const auto* field : record->fields()) {
    if (field->isBitField()) return {};
    members.push_back(
        {field->getNameAsString(),
         static_cast<std::size_t>(layout.getFieldOffset(field->getFieldIndex()) / 8),
         to_metal_terms(field->getType().getUnqualifiedType().getAsString(ast.getPrintingPolicy()),
                        "")});
  }
  return members;
}

bool takes_buffer(const clang::ParmVarDecl& parameter) {
  const auto type = parameter.getType();
  if (!type->isPointerType() && !type->isReferenceType()) return false;
  const auto space = space_of(element_of(type));
  return space == Space::device || space == Space::constant;
}

bool is_image(const clang::ParmVarDecl& parameter) {
  const auto* record = parameter.getType()->getAsCXXRecordDecl();
  const auto name = record ? record->getName() : "";
  return name.starts_with("texture") || name.starts_with("depth") || name == "sampler";
}

// The index of each parameter that takes a buffer. Metal gives one without [[buffer(n)]] the first
// index that no other parameter claims.
std::map<const clang::ParmVarDecl*, unsigned> buffer_indices(const Kernel& kernel,
                                                             const Unit& unit) {
  std::map<const clang::ParmVarDecl*, unsigned> indices;
  std::set<unsigned> taken;
  std::vector<const clang::ParmVarDecl*> unnumbered;
  for (const auto* parameter : kernel.declaration->parameters()) {
    const auto attribute = unit.attribute(*parameter, "buffer");
    if (attribute && attribute->value && *attribute->value >= 0) {
      const auto index = static_cast<unsigned>(*attribute->value);
      taken.insert(index);
      indices[parameter] = index;
    } else if (takes_buffer(*parameter) && !attribute) {
      unnumbered.push_back(parameter);
    } else if (unit.attributes(*parameter).empty() && !is_image(*parameter)) {
      return indices;  // a table of functions, for example
    }
  }
  unsigned next = 0;
  for (const auto* parameter : unnumbered) {
    while (taken.contains(next)) ++next;
    indices[parameter] = next++;
  }
  return indices;
}

}  // namespace

std::vector<TextureArgument> texture_arguments(const Kernel& kernel, const Unit& unit) {
  std::vector<TextureArgument> all;
  for (const auto* parameter : kernel.declaration->parameters())
    for (const auto kind : {ArgumentKind::texture, ArgumentKind::sampler}) {
      const auto attribute = unit.attribute(*parameter, to_string(kind));
      if (!attribute || !attribute->value || *attribute->value < 0) continue;
      all.push_back(
          {.kind = kind,
           .index = static_cast<unsigned>(*attribute->value),
           .parameter = parameter,
           .spelling = to_metal_terms(parameter->getType().getUnqualifiedType().getAsString(
                                          unit.ast().getPrintingPolicy()),
                                      "")});
    }
  return all;
}

std::vector<BufferArgument> buffer_arguments(const Kernel& kernel, const Unit& unit) {
  std::vector<BufferArgument> all;
  const auto indices = buffer_indices(kernel, unit);
  for (const auto* parameter : kernel.declaration->parameters()) {
    const auto index = indices.find(parameter);
    const auto type = parameter->getType();
    if (index == indices.end()) continue;
    if (!type->isPointerType() && !type->isReferenceType()) continue;
    const auto element = element_of(type);
    BufferArgument argument{
        .index = index->second,
        .name = parameter->getNameAsString(),
        .parameter = parameter,
        .is_reference = type->isReferenceType(),
        .is_conditional = unit.attribute(*parameter, "function_constant").has_value(),
        .is_writable = space_of(element) == Space::device && !element.isConstQualified(),
        .scalar = scalar_of(element, unit.ast())};
    if (!element->isIncompleteType() && !element->isDependentType())
      argument.bytes =
          static_cast<std::size_t>(unit.ast().getTypeSizeInChars(element).getQuantity());
    argument.spelling = to_metal_terms(
        element.getUnqualifiedType().getAsString(unit.ast().getPrintingPolicy()), "");
    argument.members = members_of(element, unit.ast());
    all.push_back(std::move(argument));
  }
  return all;
}

}  // namespace msci
