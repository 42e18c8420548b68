#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "engine/vectors/vectorise.h"

namespace msci::engine {
namespace {

constexpr unsigned register_bits = 256;  // shorter stores are not worth a branch

bool is_long_store(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || call->getIntrinsicID() != llvm::Intrinsic::masked_store) return false;
  return !llvm::isa<llvm::Constant>(call->getArgOperand(2)) &&
         call->getArgOperand(0)->getType()->getPrimitiveSizeInBits() >= register_bits;
}

void branch_on_mask(llvm::IntrinsicInst& store) {
  auto *value = store.getArgOperand(0), *place = store.getArgOperand(1);
  auto* mask = store.getArgOperand(2);
  const auto align = store.getParamAlign(1).valueOrOne();
  llvm::IRBuilder<> builder(&store);
  auto* bits = builder.CreateBitCast(
      mask,
      builder.getIntNTy(llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements()));
  auto* is_whole = builder.CreateIsNull(builder.CreateNot(bits));
  llvm::Instruction *whole = nullptr, *part = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(is_whole, &store, &whole, &part);
  builder.SetInsertPoint(whole);
  auto* plain = builder.CreateAlignedStore(value, place, align);
  plain->copyMetadata(store);
  store.moveBefore(part->getIterator());
}

}  // namespace

void store_whole_rows(llvm::Module& module) {
  for (auto& function : module) {
    llvm::SmallVector<llvm::IntrinsicInst*> stores;
    for (auto& instruction : llvm::instructions(function))
      if (is_long_store(instruction))
        stores.push_back(llvm::cast<llvm::IntrinsicInst>(&instruction));
    for (auto* store : stores) branch_on_mask(*store);
  }
}

}  // namespace msci::engine
