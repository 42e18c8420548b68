#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "compiler/lower/lowerings.h"

namespace msci {
namespace {

void expand_operands(llvm::Instruction& instruction);

// Addresses themselves have text; LLVM keeps no other expression of constants alone.
llvm::ConstantExpr* computed_integer(llvm::Value* operand) {
  auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(operand);
  return expression && expression->getType()->isIntegerTy() ? expression : nullptr;
}

llvm::Value* compute(llvm::ConstantExpr& expression, llvm::Instruction& before) {
  auto* computed = expression.getAsInstruction();
  computed->insertBefore(before.getIterator());
  expand_operands(*computed);
  return computed;
}

void expand_operands(llvm::Instruction& instruction) {
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    // One block may come in several times, and then with one value.
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      if (auto* expression = computed_integer(phi->getIncomingValue(i)))
        phi->setIncomingValueForBlock(
            phi->getIncomingBlock(i),
            compute(*expression, *phi->getIncomingBlock(i)->getTerminator()));
    return;
  }
  for (auto& operand : instruction.operands())
    if (auto* expression = computed_integer(operand.get()))
      operand.set(compute(*expression, instruction));
}

}  // namespace

void expand_address_constants(llvm::Module& ir) {
  for (auto& function : ir) {
    std::vector<llvm::Instruction*> instructions;
    for (auto& instruction : llvm::instructions(function)) instructions.push_back(&instruction);
    for (auto* instruction : instructions) expand_operands(*instruction);
  }
}

}  // namespace msci
