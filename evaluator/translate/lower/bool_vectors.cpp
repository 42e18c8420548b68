#include "evaluator/translate/lower/bool_vectors.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace msci {

void count_true_as_one(llvm::Module& ir) {
  std::vector<llvm::SExtInst*> widened;
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function))
      if (auto* sext = llvm::dyn_cast<llvm::SExtInst>(&instruction))
        if (sext->getSrcTy()->isVectorTy() && sext->getSrcTy()->getScalarSizeInBits() == 1)
          widened.push_back(sext);
  for (auto* sext : widened) {
    auto* zext = llvm::IRBuilder<>(sext).CreateZExt(sext->getOperand(0), sext->getType());
    sext->replaceAllUsesWith(zext);
    sext->eraseFromParent();
  }
}

}  // namespace msci
