#include <llvm/ADT/FloatingPointMode.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/CodeGen/ExpandReductions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>

#include <vector>

#include "compiler/frontend/passes.h"
#include "compiler/lower/lowerings.h"

namespace msci {
namespace {

// Memory in two address spaces does not overlap, so a move between them is a copy.
bool expand_move(llvm::MemMoveInst& move, const llvm::TargetTransformInfo& target) {
  if (move.getSourceAddressSpace() == move.getDestAddressSpace())
    return llvm::expandMemMoveAsLoop(&move, target);
  llvm::IRBuilder<> builder(&move);
  auto* copy = builder.CreateMemCpy(move.getRawDest(), move.getDestAlign(), move.getRawSource(),
                                    move.getSourceAlign(), move.getLength(), move.isVolatile());
  llvm::expandMemCpyAsLoop(llvm::cast<llvm::MemCpyInst>(copy), target);
  copy->eraseFromParent();
  return true;
}

// Fills memory word by word where it is as long and as aligned as words are; LLVM does it byte by
// byte.
bool fill_words(llvm::MemSetInst& set) {
  constexpr unsigned most_words = 64;
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(set.getLength());
  const auto* byte = llvm::dyn_cast<llvm::ConstantInt>(set.getValue());
  if (!length || !byte || set.isVolatile() || set.getDestAlign().valueOrOne() < 4) return false;
  const auto words = length->getZExtValue() / 4;
  if (words > most_words || length->getZExtValue() % 4 != 0) return false;
  llvm::IRBuilder<> builder(&set);
  auto* word = builder.getInt(llvm::APInt::getSplat(32, byte->getValue()));
  for (unsigned i = 0; i < words; ++i)
    builder.CreateAlignedStore(word, builder.CreateConstGEP1_32(word->getType(), set.getDest(), i),
                               llvm::Align(4));
  return true;
}

void fill(llvm::MemSetInst& set) {
  if (!fill_words(set)) llvm::expandMemSetAsLoop(&set);
}

void expand_memory_intrinsics(llvm::Module& ir) {
  const llvm::TargetTransformInfo target(ir.getDataLayout());
  std::vector<llvm::MemIntrinsic*> intrinsics;
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function))
      if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
        intrinsics.push_back(memory);
  for (auto* memory : intrinsics) {
    if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(memory))
      llvm::expandMemCpyAsLoop(copy, target);
    else if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(memory))
      fill(*set);
    else if (!expand_move(llvm::cast<llvm::MemMoveInst>(*memory), target))
      continue;  // first_unsupported() reports it
    memory->eraseFromParent();
  }
}

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
        whole_,
        llvm::ConstantInt::get(bits, llvm::APInt::getSignedMaxValue(bits->getScalarSizeInBits())));
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
  auto* result = is_signed ? builder.CreateFPToSI(value, type) : builder.CreateFPToUI(value, type);
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

// Tests of the class of a half or bfloat, and saturating conversions, become comparisons and
// choices.
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

// LLVM reads one bit of a vector as an element of a vector of bits; OpenCL has none of those.
void read_bits_by_shifting(llvm::Module& ir) {
  std::vector<llvm::ExtractElementInst*> reads;
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function))
      if (auto* read = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction);
          read && read->getType()->isIntegerTy(1) &&
          llvm::isa<llvm::ConstantInt>(read->getIndexOperand()) &&
          llvm::isa<llvm::BitCastInst>(read->getVectorOperand()))
        reads.push_back(read);
  for (auto* read : reads) {
    auto* whole = llvm::cast<llvm::BitCastInst>(read->getVectorOperand())->getOperand(0);
    const auto bit = llvm::cast<llvm::ConstantInt>(read->getIndexOperand())->getZExtValue();
    const auto width = whole->getType()->getScalarSizeInBits();
    llvm::IRBuilder<> builder(read);
    auto* integer = builder.getIntNTy(width);
    auto* word =
        whole->getType()->isVectorTy() ? builder.CreateExtractElement(whole, bit / width) : whole;
    auto* shifted = builder.CreateLShr(builder.CreateBitCast(word, integer), bit % width);
    read->replaceAllUsesWith(builder.CreateTrunc(shifted, read->getType()));
    read->eraseFromParent();
  }
}

// a*b + c, where both may be contracted and nothing else needs the product.
void contract(llvm::Module& ir) {
  std::vector<llvm::BinaryOperator*> sums;
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function))
      if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
        if ((sum->getOpcode() == llvm::Instruction::FAdd ||
             sum->getOpcode() == llvm::Instruction::FSub) &&
            sum->hasAllowContract() && sum->getType()->getScalarType()->isFloatTy())
          sums.push_back(sum);
  for (auto* sum : sums) {
    const auto product = [&](unsigned operand) -> llvm::BinaryOperator* {
      auto* multiply = llvm::dyn_cast<llvm::BinaryOperator>(sum->getOperand(operand));
      const bool fits = multiply && multiply->getOpcode() == llvm::Instruction::FMul &&
                        multiply->hasOneUse() && multiply->hasAllowContract();
      return fits ? multiply : nullptr;
    };
    const bool subtracts = sum->getOpcode() == llvm::Instruction::FSub;
    const unsigned side = product(0) ? 0 : 1;
    auto* multiply = product(side);
    if (!multiply) continue;
    llvm::IRBuilder<> builder(sum);
    builder.setFastMathFlags(sum->getFastMathFlags());
    auto* a = multiply->getOperand(0);
    auto* b = multiply->getOperand(1);
    auto* c = sum->getOperand(1 - side);
    if (subtracts && side == 0) c = builder.CreateFNeg(c);
    if (subtracts && side == 1) a = builder.CreateFNeg(a);
    auto* fused = builder.CreateIntrinsic(llvm::Intrinsic::fmuladd, {sum->getType()}, {a, b, c});
    sum->replaceAllUsesWith(fused);
    sum->eraseFromParent();
    multiply->eraseFromParent();
  }
}

}  // namespace

void make_printable(llvm::Module& ir) {
  expand_memory_intrinsics(ir);
  expand_intrinsics(ir);
  read_bits_by_shifting(ir);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::ExpandReductionsPass());
  passes.addPass(TakeVectorsApart());
  passes.addPass(ExpandWideIntegers());  // after the vectors: it takes none
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::DCEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  run(ir, std::move(passes));
  contract(ir);
}

}  // namespace msci
