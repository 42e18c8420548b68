#include "lint/analysis/functions/signatures.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/frontend/clang_messages.h"
#include "lint/analysis/expressions.h"

namespace msci {
namespace {

namespace columns = attribute_columns;

struct StageRow {
  FunctionStage stage;
  std::string_view name;
  unsigned bit;
};
constexpr StageRow stages[] = {
    {FunctionStage::kernel, "kernel", columns::kernel},
    {FunctionStage::vertex, "vertex", columns::vertex},
    {FunctionStage::fragment, "fragment", columns::fragment},
    {FunctionStage::object, "object", columns::object},
    {FunctionStage::mesh, "mesh", columns::mesh},
    {FunctionStage::intersection, "intersection", columns::intersection},
};

const StageRow* stage_row(FunctionStage stage) {
  const auto* row = std::ranges::find(stages, stage, &StageRow::stage);
  return row == std::end(stages) ? nullptr : row;
}

constexpr std::array handles = {"acceleration_structure", "intersection_function_table", "tensor",
                                "visible_function_table"};

const clang::CXXRecordDecl* metal_class(clang::QualType type, const Unit& unit) {
  const auto* record = type->getAsCXXRecordDecl();
  return record && record->getIdentifier() && !unit.is_users(record->getLocation()) ? record
                                                                                    : nullptr;
}

bool is_unsigned_word(clang::QualType type) {
  const auto* builtin = type.getCanonicalType()->getAs<clang::BuiltinType>();
  return builtin && (builtin->getKind() == clang::BuiltinType::UInt ||
                     builtin->getKind() == clang::BuiltinType::UShort);
}

// Of a float and vectors of floats, how many elements there are; else 0.
unsigned reals(clang::QualType type) {
  const auto* vector = type.getCanonicalType()->getAs<clang::VectorType>();
  const auto element = vector ? vector->getElementType() : type;
  if (!element->isSpecificBuiltinType(clang::BuiltinType::Float)) return 0;
  return vector ? vector->getNumElements() : 1;
}

// A number, or a vector; also of bool, which is a class of ours.
bool is_number(clang::QualType type, const Unit& unit) {
  return type->isArithmeticType() || type->isEnumeralType() || type->isVectorType() ||
         is_metal_class(type, "$mask", unit);
}

// What certainly is neither a texture nor a sampler.
bool is_plain(clang::QualType type, const Unit& unit) {
  if (is_pointer_or_reference(type)) return is_number(type->getPointeeType(), unit);
  return is_number(type, unit);
}

bool is_texture(clang::QualType type, const Unit& unit) {
  return is_metal_class(type, "texture", unit) || is_metal_class(type, "depth", unit);
}

// Whether a buffer can hold an object of this type by itself. In a struct, it can hold any.
bool lies_in_buffers(clang::QualType type, const Unit& unit) {
  const auto element = clang::QualType(type->getBaseElementTypeUnsafe(), 0);
  return !element->isPointerType() && !is_texture(element, unit) &&
         !is_metal_class(element, "sampler", unit);
}

}  // namespace

FunctionStage stage_of(const clang::FunctionDecl& function, const Unit& unit) {
  for (const auto& attribute : unit.attributes(function))
    for (const auto& row : stages)
      if (attribute.name == row.name) return row.stage;
  return FunctionStage::none;
}

std::string_view stage_name(FunctionStage stage) {
  const auto* row = stage_row(stage);
  return row ? row->name : "non-qualified";
}

unsigned bit_of(FunctionStage stage) {
  const auto* row = stage_row(stage);
  return row ? row->bit : 0;
}

bool is_known(clang::QualType type) {
  return !type.isNull() && !type->isDependentType() && !type->containsErrors();
}

std::string type_name(clang::QualType type, const Unit& unit) {
  return to_metal_terms(type.getUnqualifiedType().getAsString(unit.ast().getPrintingPolicy()), "");
}

std::string pointee_name(clang::QualType type, const Unit& unit) {
  const auto pointee = type->getPointeeType();
  auto name = to_metal_terms(pointee.getAsString(unit.ast().getPrintingPolicy()), "");
  return space_of(pointee) == Space::thread ? "thread " + name : name;
}

unsigned dimensions(clang::QualType type) {
  if (const auto* vector = type.getCanonicalType()->getAs<clang::VectorType>())
    return is_unsigned_word(vector->getElementType()) ? vector->getNumElements() : 0;
  return is_unsigned_word(type) ? 1 : 0;
}

bool is_metal_class(clang::QualType type, std::string_view beginning, const Unit& unit) {
  const auto* record = metal_class(type, unit);
  return record && record->getName().starts_with(beginning);
}

BoundElement bound_of(clang::QualType type, const Unit& unit) {
  const auto value = type.getNonReferenceType();
  const auto* array =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(metal_class(value, unit));
  if (!array || array->getName() != "array") return {type};
  const auto& arguments = array->getTemplateArgs();
  if (arguments.size() != 2 || arguments[0].getKind() != clang::TemplateArgument::Type ||
      arguments[1].getKind() != clang::TemplateArgument::Integral)
    return {type};
  const auto count = arguments[1].getAsIntegral().tryExtValue();
  return count ? BoundElement{arguments[0].getAsType(), *count} : BoundElement{type};
}

bool is_pointer_or_reference(clang::QualType type) {
  return type->isPointerType() || type->isReferenceType();
}

bool is_handle(clang::QualType type, const Unit& unit) {
  const auto* record = metal_class(type, unit);
  return record && std::ranges::count(handles, std::string_view(record->getName())) > 0;
}

bool is_in_wrong_space(clang::QualType type) {
  if (!is_pointer_or_reference(type)) return false;
  const auto space = space_of(type->getPointeeType());
  return space == Space::thread || space == Space::threadgroup;
}

bool suits(clang::QualType type, const MetalAttribute& attribute, const Unit& unit) {
  const auto bound = bound_of(type, unit).element;
  switch (attribute.type) {
    case AttributeType::any:
      return true;
    case AttributeType::boolean:
      return type->isBooleanType();
    case AttributeType::index:
      return dimensions(type) == 1;
    case AttributeType::word:
      return dimensions(type) == 1 &&
             type->getAs<clang::BuiltinType>()->getKind() == clang::BuiltinType::UInt;
    case AttributeType::position:
      return dimensions(type) >= 1 && dimensions(type) <= attribute.dimensions;
    case AttributeType::real:
      return reals(type) == 1;
    case AttributeType::reals:
      return reals(type) >= 1 && reals(type) <= 3;
    case AttributeType::float2:
      return reals(type) == 2;
    case AttributeType::float4:
      return reals(type) == 4;
    case AttributeType::number:
    case AttributeType::constant:
      return is_number(type, unit);
    case AttributeType::record:
      return !is_number(type, unit) && !is_pointer_or_reference(type);
    case AttributeType::buffer:
      return (is_pointer_or_reference(type) && lies_in_buffers(type->getPointeeType(), unit)) ||
             is_handle(type, unit);
    case AttributeType::texture:
      return !is_plain(bound, unit) && !is_metal_class(bound, "sampler", unit) &&
             !is_handle(bound, unit);
    case AttributeType::sampler:
      return !is_plain(bound, unit) && !is_texture(bound, unit) && !is_handle(bound, unit);
    case AttributeType::threadgroup:
      return is_pointer_or_reference(type) &&
             space_of(type->getPointeeType()) == Space::threadgroup;
  }
  return true;
}

}  // namespace msci
