#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "analysis/profile/passes/count_work.h"

namespace msci {
namespace {

// Functions of <metal_simdgroup_matrix>.
constexpr llvm::StringLiteral multiplying = "$multiply_add";
constexpr llvm::StringLiteral loading = "simdgroup_load";
constexpr llvm::StringLiteral storing = "simdgroup_store";

// That each lane computes for its two elements of a product.
constexpr unsigned multiplications = 16;

// Where the function that the instruction belongs to was inlined; null for none of that name.
const llvm::DILocation* call_of(const llvm::Instruction& instruction,
                                llvm::StringRef function = multiplying) {
  for (const llvm::DILocation* at = instruction.getDebugLoc(); at; at = at->getInlinedAt())
    if (at->getScope()->getSubprogram()->getName().starts_with(function)) return at->getInlinedAt();
  return nullptr;
}

bool multiplies(const llvm::Instruction& instruction) {
  if (instruction.getOpcode() == llvm::Instruction::FMul) return true;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && (call->getIntrinsicID() == llvm::Intrinsic::fma ||
                  call->getIntrinsicID() == llvm::Intrinsic::fmuladd);
}

// The sum that takes a multiplication in; the multiplication itself where its result is the sum.
const llvm::Instruction* sum_of(const llvm::Instruction& multiplication) {
  if (!multiplication.hasOneUse()) return &multiplication;
  const auto* user = llvm::cast<llvm::Instruction>(*multiplication.user_begin());
  const bool adds = user->getOpcode() == llvm::Instruction::FAdd && MatrixProducts::contains(*user);
  return adds ? user : &multiplication;
}

}  // namespace

bool MatrixProducts::contains(const llvm::Instruction& instruction) {
  return call_of(instruction) != nullptr;
}

bool moves_matrix(const llvm::Instruction& instruction) {
  return call_of(instruction, loading) || call_of(instruction, storing);
}

// A loop around a call that was unrolled has several products of the same call, one after the
// other. Where the loop in a product was not unrolled, the branch to it stands for the product.
MatrixProducts::MatrixProducts(llvm::Function& kernel) {
  struct Product {
    unsigned multiplied = 0;
    const llvm::Instruction* last = nullptr;
  };
  llvm::MapVector<const llvm::DILocation*, Product> products;
  for (const auto& instruction : llvm::instructions(kernel)) {
    const auto* call = call_of(instruction);
    if (!call || !multiplies(instruction)) continue;
    auto& product = products[call];
    product = {product.multiplied + elements_of(instruction.getType()), &instruction};
    if (product.multiplied < multiplications) continue;
    ends_.insert(sum_of(instruction));
    product = {};
  }
  products.remove_if([](const auto& each) { return !each.second.last; });
  if (products.empty()) return;
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  for (const auto& [call, product] : products) {
    const auto* loop = loops.getLoopFor(product.last->getParent());
    if (const auto* before = loop ? loop->getLoopPredecessor() : nullptr)
      ends_.insert(before->getTerminator());
  }
}

}  // namespace msci
