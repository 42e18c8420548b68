#include "compiler/print/opencl_types.h"

#include <fmt/format.h>
#include <llvm/Support/ErrorHandling.h>

#include <cmath>
#include <cstdio>

#include "compiler/ir/spaces.h"

namespace msci {
namespace {

std::string hex_float(float number) {
  char text[32];
  std::snprintf(text, sizeof text, std::signbit(number) ? "(%af)" : "%af",
                static_cast<double>(number));
  return text;
}

}  // namespace

unsigned container_bits(unsigned bits) {
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
}

const char* unsigned_type(unsigned bits) {
  switch (container_bits(bits)) {
    case 8:
      return "uchar";
    case 16:
      return "ushort";
    case 32:
      return "uint";
    default:
      return "ulong";
  }
}

const char* signed_type(unsigned bits) { return unsigned_type(bits) + 1; }

bool is_mask(const llvm::Type* type) {
  return type->isVectorTy() && type->getScalarType()->isIntegerTy(1);
}

bool is_small_float(const llvm::Type* type) { return type->isHalfTy() || type->isBFloatTy(); }

bool is_opencl_width(unsigned elements) {
  return elements == 2 || elements == 3 || elements == 4 || elements == 8 || elements == 16;
}

unsigned element_count(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

std::string type_name(const llvm::Type* type) {
  if (type->isFloatTy() || is_small_float(type)) return "float";
  if (type->isIntegerTy(1)) return "bool";
  if (type->isIntegerTy()) return unsigned_type(type->getIntegerBitWidth());
  if (type->isPointerTy())
    return std::string(space_qualifier(type->getPointerAddressSpace())) + "uchar*";
  const auto* vector = llvm::cast<llvm::FixedVectorType>(type);
  const auto count = vector->getNumElements();
  if (count == 1) return type_name(vector->getElementType());
  return (is_mask(type) ? "int" : type_name(vector->getElementType())) + std::to_string(count);
}

const char* space_qualifier(unsigned space) {
  switch (space) {
    case thread_space:
      return "";
    case device_space:
      return "__global ";
    case table_space:
      return "__constant ";
    case threadgroup_space:
      return "__local ";
    default:
      llvm_unreachable("first_unsupported() refuses other address spaces");
  }
}

std::string zero_text(const llvm::Type* type) {
  if (type->isIntegerTy()) return integer_text(llvm::APInt(type->getIntegerBitWidth(), 0));
  if (type->isFloatTy() || is_small_float(type)) return "0.0f";
  return fmt::format("({})0", type_name(type));
}

std::string integer_text(const llvm::APInt& value) {
  const auto bits = value.getBitWidth();
  const auto number = value.getZExtValue();
  if (bits == 1) return number ? "true" : "false";
  if (bits <= 16) return fmt::format("({}){}", unsigned_type(bits), number);
  return fmt::format("{}{}", number, bits <= 32 ? "u" : "ul");
}

std::string real_text(const llvm::APFloat& value) {
  bool lost = false;
  llvm::APFloat single = value;
  single.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &lost);
  if (single.isNaN() || single.isInfinity())
    return fmt::format("as_float({:#x}u)", single.bitcastToAPInt().getZExtValue());
  return hex_float(single.convertToFloat());
}

std::string signed_vector_name(const llvm::Type* type) {
  return signed_type(type->getScalarSizeInBits()) + std::to_string(element_count(type));
}

std::string as_unsigned(const std::string& expression, const llvm::Type* type) {
  return type->isVectorTy() ? fmt::format("as_{}({})", type_name(type), expression) : expression;
}

llvm::Type* ushort_vector(const llvm::Type* halves) {
  return llvm::FixedVectorType::get(llvm::Type::getInt16Ty(halves->getContext()),
                                    element_count(halves));
}

std::string trimmed(std::string expression, const llvm::Type* type) {
  if (!type->isIntegerTy()) return expression;
  const auto bits = type->getIntegerBitWidth();
  if (bits == 1) return fmt::format("({}) & 1", expression);
  if (container_bits(bits) == bits) return expression;
  return fmt::format("({}) & {}", expression,
                     integer_text(llvm::APInt::getLowBitsSet(container_bits(bits), bits)));
}

const char* element_of_size(const llvm::APInt& bytes) {
  switch (bytes.getSExtValue()) {
    case 2:
      return "ushort";
    case 4:
      return "uint";
    case 8:
      return "ulong";
    case 16:
      return "uint4";
    default:
      return nullptr;
  }
}

}  // namespace msci
