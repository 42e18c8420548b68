#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "engine/vectors/vectorise.h"

namespace msci::engine {
namespace {

bool is_wide_product(const llvm::Instruction& instruction) {
  return instruction.getOpcode() == llvm::Instruction::Mul && instruction.getType()->isVectorTy() &&
         instruction.getType()->getScalarSizeInBits() == 64;
}

bool is_known(const llvm::Value* value) {
  return llvm::isa<llvm::Constant>(value) && !llvm::isa<llvm::UndefValue>(value);
}

// Not a constant one: the code generator reads through those.
void load_from_variable(llvm::Use& constant, llvm::Module& module) {
  auto* value = llvm::cast<llvm::Constant>(constant.get());
  auto* variable = new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/false,
                                            llvm::GlobalValue::InternalLinkage, value, "lanes");
  llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(constant.getUser()));
  constant.set(builder.CreateLoad(value->getType(), variable));
}

}  // namespace

void hide_partial_constants(llvm::Module& module) {
  llvm::SmallVector<llvm::Use*> constants;
  for (auto& function : module) {
    if (llvm::none_of(llvm::instructions(function), is_wide_product)) continue;
    for (auto& instruction : llvm::instructions(function))
      if (llvm::isa<llvm::ShuffleVectorInst>(instruction))
        for (auto& operand : instruction.operands())
          if (is_known(operand)) constants.push_back(&operand);
  }
  for (auto* constant : constants) load_from_variable(*constant, module);
}

}  // namespace msci::engine
