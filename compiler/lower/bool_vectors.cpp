#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/lower/lowerings.h"

namespace msci {
namespace {

bool is_widened_bits(const llvm::Value* value) {
  const auto* sext = llvm::dyn_cast<llvm::SExtInst>(value);
  return sext && sext->getSrcTy()->isVectorTy() && sext->getSrcTy()->getScalarSizeInBits() == 1;
}

// Clang's choice among vectors, `c ? a : b`, takes the sign of each element of c and widens that to
// a mask, which must keep all of its ones.
bool is_sign_test(const llvm::Value* value) {
  const auto* test = llvm::dyn_cast<llvm::ICmpInst>(value);
  return test && test->getPredicate() == llvm::CmpInst::ICMP_SLT &&
         is_widened_bits(test->getOperand(0));
}

// Clang stores a bool, which is a byte in memory, as an element of a vector of bits: `v[i] = b`,
// where v is a dependent vec<T, N> of bool.
void insert_bits(llvm::Module& ir) {
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function)) {
      auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction);
      if (!insert) continue;
      auto* element = insert->getType()->getElementType();
      auto* value = insert->getOperand(1);
      if (value->getType() == element || !element->isIntegerTy(1)) continue;
      insert->setOperand(1, llvm::IRBuilder<>(insert).CreateTrunc(value, element));
    }
}

}  // namespace

void count_true_as_one(llvm::Module& ir) {
  insert_bits(ir);
  std::vector<llvm::SExtInst*> widened;
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function))
      if (auto* sext = llvm::dyn_cast<llvm::SExtInst>(&instruction))
        if (is_widened_bits(sext) && !is_sign_test(sext->getOperand(0))) widened.push_back(sext);
  for (auto* sext : widened) {
    auto* zext = llvm::IRBuilder<>(sext).CreateZExt(sext->getOperand(0), sext->getType());
    sext->replaceUsesWithIf(zext, [](llvm::Use& use) { return !is_sign_test(use.getUser()); });
  }
}

}  // namespace msci
