#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <bit>
#include <vector>

#include "engine/isolation/guard_accesses.h"

namespace msci::engine {
namespace {

using llvm::Instruction;
using llvm::Value;

// The number that all elements have.
const llvm::APInt* constant_of(const Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant) return nullptr;
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(
      constant->getType()->isVectorTy() ? constant->getSplatValue() : constant);
  return number ? &number->getValue() : nullptr;
}

void define_shift(llvm::BinaryOperator& shift) {
  const auto bits = shift.getType()->getScalarSizeInBits();
  auto* distance = shift.getOperand(1);
  if (const auto* number = constant_of(distance); number && number->ult(bits)) return;
  llvm::IRBuilder<> at(&shift);
  auto* most = llvm::ConstantInt::get(shift.getType(), bits - 1);
  shift.setOperand(1, std::has_single_bit(bits)
                          ? at.CreateAnd(distance, most)
                          : at.CreateBinaryIntrinsic(llvm::Intrinsic::umin, distance, most));
}

void define_division(llvm::BinaryOperator& division) {
  const auto opcode = division.getOpcode();
  const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  auto* by = division.getOperand(1);
  if (const auto* number = constant_of(by);
      number && !number->isZero() && !(is_signed && number->isAllOnes()))
    return;
  llvm::IRBuilder<> at(&division);
  auto* type = division.getType();
  auto* one = llvm::ConstantInt::get(type, 1);
  by = at.CreateFreeze(by);
  auto* safe = at.CreateSelect(at.CreateICmpEQ(by, llvm::Constant::getNullValue(type)), one, by);
  if (is_signed) {
    // The least number over -1 has no quotient.
    auto* flips = at.CreateICmpEQ(by, llvm::Constant::getAllOnesValue(type));
    safe = at.CreateSelect(flips, one, safe);
    at.SetInsertPoint(division.getNextNode());
    auto* otherwise = opcode == Instruction::SDiv
                          ? at.CreateNeg(&division)
                          : static_cast<Value*>(llvm::Constant::getNullValue(type));
    auto* result = at.CreateSelect(flips, otherwise, &division);
    division.replaceUsesWithIf(result, [&](const llvm::Use& use) {
      return use.getUser() != result && use.getUser() != otherwise;
    });
  }
  division.setOperand(1, safe);
}

// Flags of intrinsics that leave a result open for one input.
void define_intrinsic(llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
    case llvm::Intrinsic::abs:
      call.setArgOperand(1, llvm::ConstantInt::getFalse(call.getContext()));
      break;
    default:
      break;
  }
}

void define(Instruction& instruction) {
  if (!llvm::isa<llvm::FPMathOperator>(instruction)) instruction.dropPoisonGeneratingFlags();
  instruction.dropPoisonGeneratingReturnAttributes();
  for (const auto promise :
       {llvm::LLVMContext::MD_range, llvm::LLVMContext::MD_nonnull, llvm::LLVMContext::MD_align,
        llvm::LLVMContext::MD_noundef, llvm::LLVMContext::MD_loop})
    instruction.setMetadata(promise, nullptr);
  if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    if (operation->isShift()) define_shift(*operation);
    if (operation->isIntDivRem()) define_division(*operation);
  }
  if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) define_intrinsic(*call);
}

}  // namespace

void define_integers(llvm::Function& kernel) {
  // Of loops, too: one that never ends is not undefined.
  kernel.removeFnAttr(llvm::Attribute::MustProgress);
  kernel.removeFnAttr(llvm::Attribute::WillReturn);
  std::vector<Instruction*> instructions;
  for (auto& instruction : llvm::instructions(kernel)) instructions.push_back(&instruction);
  for (auto* instruction : instructions) {
    if (llvm::isa<llvm::AssumeInst>(instruction))
      instruction->eraseFromParent();
    else
      define(*instruction);
  }
}

}  // namespace msci::engine
