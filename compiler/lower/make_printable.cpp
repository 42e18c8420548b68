#include "compiler/lower/make_printable.h"

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

#include "compiler/lower/expand_intrinsics.h"
#include "compiler/lower/vectors.h"
#include "compiler/lower/wide_integers.h"
#include "frontend/passes.h"

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
      llvm::expandMemSetAsLoop(set);
    else if (!expand_move(llvm::cast<llvm::MemMoveInst>(*memory), target))
      continue;  // first_unsupported() reports it
    memory->eraseFromParent();
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
