#include "analysis/check/passes/numbers/float_bits.h"

#include <limits>

namespace msci {
namespace {

using llvm::Value;

constexpr double infinity = std::numeric_limits<double>::infinity();

// The bits without the sign are in the order of the magnitudes, NaN behind infinity.
Value* compare(llvm::IRBuilder<>& builder, llvm::CmpInst::Predicate predicate, Value* value,
               double number) {
  auto* type = value->getType();
  llvm::APFloat bound(number);
  bool loses = false;
  bound.convert(type->getScalarType()->getFltSemantics(), llvm::APFloat::rmNearestTiesToEven,
                &loses);
  auto* bits = type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
  const auto sign_off = llvm::APInt::getSignedMaxValue(type->getScalarSizeInBits());
  auto* magnitude =
      builder.CreateAnd(builder.CreateBitCast(value, bits), llvm::ConstantInt::get(bits, sign_off));
  return builder.CreateICmp(predicate, magnitude,
                            llvm::ConstantInt::get(bits, bound.bitcastToAPInt()));
}

}  // namespace

Value* make_is_finite(llvm::IRBuilder<>& builder, Value* value) {
  return compare(builder, llvm::CmpInst::ICMP_ULT, value, infinity);
}

Value* make_is_nan(llvm::IRBuilder<>& builder, Value* value) {
  return compare(builder, llvm::CmpInst::ICMP_UGT, value, infinity);
}

Value* make_is_at_least(llvm::IRBuilder<>& builder, Value* value, double number) {
  return compare(builder, llvm::CmpInst::ICMP_UGE, value, number);
}

}  // namespace msci
