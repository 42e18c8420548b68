#include "compiler/lower/expand_intrinsics.h"

#include <llvm/ADT/FloatingPointMode.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace msci {
namespace {

using llvm::APFloat;
using llvm::Value;

// Tests the bits of a half or bfloat, so that what a device does with small values does not matter.
class ClassTest {
 public:
  explicit ClassTest(llvm::IntrinsicInst& call)
      : builder_(&call),
        semantics_(call.getArgOperand(0)->getType()->getScalarType()->getFltSemantics()) {
    auto* real = call.getArgOperand(0)->getType();
    auto* bits = real->getWithNewType(builder_.getIntNTy(real->getScalarSizeInBits()));
    whole_ = builder_.CreateBitCast(call.getArgOperand(0), bits);
    magnitude_ = builder_.CreateAnd(
        whole_, llvm::ConstantInt::get(bits, llvm::APInt::getSignedMaxValue(
                                                 bits->getScalarSizeInBits())));
    sum_ = llvm::ConstantInt::getFalse(call.getType());
  }

  Value* run(unsigned mask) {
    const auto infinity = bits_of(APFloat::getInf(semantics_));
    const auto quiet = bits_of(APFloat::getQNaN(semantics_));
    const auto normal = bits_of(APFloat::getSmallestNormalized(semantics_));
    const llvm::APInt zero(infinity.getBitWidth(), 0), one(infinity.getBitWidth(), 1);
    if (mask & llvm::fcSNan) add(range(infinity + one, quiet));
    if (mask & llvm::fcQNan) add(range(quiet, infinity + infinity));
    signed_class(mask & llvm::fcNegInf, mask & llvm::fcPosInf, range(infinity, infinity + one));
    signed_class(mask & llvm::fcNegNormal, mask & llvm::fcPosNormal, range(normal, infinity));
    signed_class(mask & llvm::fcNegSubnormal, mask & llvm::fcPosSubnormal, range(one, normal));
    signed_class(mask & llvm::fcNegZero, mask & llvm::fcPosZero, range(zero, one));
    return sum_;
  }

 private:
  static llvm::APInt bits_of(const APFloat& value) { return value.bitcastToAPInt(); }
  Value* constant(const llvm::APInt& bits) const {
    return llvm::ConstantInt::get(whole_->getType(), bits);
  }
  // low <= magnitude < high
  Value* range(const llvm::APInt& low, const llvm::APInt& high) {
    return builder_.CreateICmpULT(builder_.CreateSub(magnitude_, constant(low)),
                                  constant(high - low));
  }
  void add(Value* condition) { sum_ = builder_.CreateOr(sum_, condition); }
  void signed_class(bool negative, bool positive, Value* condition) {
    if (!negative && !positive) return;
    auto* is_negative =
        builder_.CreateICmpSLT(whole_, llvm::Constant::getNullValue(whole_->getType()));
    if (!negative) condition = builder_.CreateAnd(condition, builder_.CreateNot(is_negative));
    if (!positive) condition = builder_.CreateAnd(condition, is_negative);
    add(condition);
  }

  llvm::IRBuilder<> builder_;
  const llvm::fltSemantics& semantics_;
  Value* whole_ = nullptr;
  Value* magnitude_ = nullptr;
  Value* sum_ = nullptr;
};

// The integer nearest to the value; of NaN, 0. A conversion out of range is not chosen.
Value* saturated(llvm::IntrinsicInst& call, bool is_signed) {
  llvm::IRBuilder<> builder(&call);
  auto* value = call.getArgOperand(0);
  auto* type = call.getType();
  const auto bits = type->getScalarSizeInBits();
  const auto least = is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt(bits, 0);
  const auto most =
      is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  const auto limit = [&](const llvm::APInt& integer) {
    APFloat real(value->getType()->getScalarType()->getFltSemantics());
    real.convertFromAPInt(integer, is_signed, APFloat::rmTowardZero);
    return llvm::ConstantFP::get(value->getType(), real);
  };
  auto* result =
      is_signed ? builder.CreateFPToSI(value, type) : builder.CreateFPToUI(value, type);
  result = builder.CreateSelect(builder.CreateFCmpOLT(value, limit(least)),
                                llvm::ConstantInt::get(type, least), result);
  result = builder.CreateSelect(builder.CreateFCmpOGT(value, limit(most)),
                                llvm::ConstantInt::get(type, most), result);
  return builder.CreateSelect(builder.CreateFCmpUNO(value, value),
                              llvm::Constant::getNullValue(type), result);
}

Value* expansion_of(llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::is_fpclass: {
      const auto* real = call.getArgOperand(0)->getType()->getScalarType();
      if (!real->isHalfTy() && !real->isBFloatTy()) return nullptr;
      const auto& mask = llvm::cast<llvm::ConstantInt>(*call.getArgOperand(1));
      return ClassTest(call).run(static_cast<unsigned>(mask.getZExtValue()));
    }
    case llvm::Intrinsic::fptosi_sat:
      return saturated(call, true);
    case llvm::Intrinsic::fptoui_sat:
      return saturated(call, false);
    default:
      return nullptr;
  }
}

}  // namespace

void expand_intrinsics(llvm::Module& ir) {
  std::vector<llvm::IntrinsicInst*> calls;
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) calls.push_back(call);
  for (auto* call : calls)
    if (auto* value = expansion_of(*call)) {
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
}

}  // namespace msci
