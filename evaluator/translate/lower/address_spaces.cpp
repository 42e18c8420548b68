#include "evaluator/translate/lower/address_spaces.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include "evaluator/translate/spaces.h"
#include "lint/metal/passes.h"

namespace msci {
namespace {

void mark_invariant_loads(llvm::Module& ir) {
  auto* invariant = llvm::MDNode::get(ir.getContext(), {});
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        if (load->getPointerAddressSpace() == constant_space)
          load->setMetadata(llvm::LLVMContext::MD_invariant_load, invariant);
}

// Metal's atomic functions take volatile pointers, whose space LLVM would leave generic. An atomic
// access happens as written without the word.
void make_atomics_plain(llvm::Module& ir) {
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function)) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isAtomic())
        load->setVolatile(false);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isAtomic())
        store->setVolatile(false);
      if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
        update->setVolatile(false);
      if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        exchange->setVolatile(false);
    }
}

}  // namespace

void name_constant_space(llvm::Module& ir) {
  make_atomics_plain(ir);
  mark_invariant_loads(ir);
  std::vector<llvm::GlobalVariable*> tables;
  for (auto& variable : ir.globals())
    if (variable.getAddressSpace() == constant_space || variable.getAddressSpace() == device_space)
      if (variable.hasInitializer() && variable.isConstant()) tables.push_back(&variable);
  for (auto* table : tables) {
    auto* moved = new llvm::GlobalVariable(
        ir, table->getValueType(), true, llvm::GlobalValue::InternalLinkage,
        table->getInitializer(), "", table, table->getThreadLocalMode(), table_space);
    moved->setAlignment(table->getAlign());
    moved->takeName(table);
    table->replaceAllUsesWith(llvm::ConstantExpr::getAddrSpaceCast(moved, table->getType()));
    table->eraseFromParent();
  }
}

void infer_address_spaces(llvm::Module& ir) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::InferAddressSpacesPass(generic_space));
  passes.addPass(llvm::InferAddressSpacesPass(constant_space));
  passes.addPass(
      llvm::InferAddressSpacesPass(device_space));  // initialisers of private arrays are tables
  run(ir, std::move(passes));
}

}  // namespace msci
