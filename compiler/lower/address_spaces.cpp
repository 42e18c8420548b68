#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include <vector>

#include "compiler/frontend/passes.h"
#include "compiler/ir/spaces.h"
#include "compiler/lower/lowerings.h"
#include "compiler/pointers/pointers.h"

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
// access happens as written also without `volatile`.
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

// Volatile accesses. LLVM's inference leaves them in the generic space, since a device may have no
// such access in another one; OpenCL C has it in all.
std::vector<llvm::WeakVH> volatile_accesses(llvm::Module& ir) {
  std::vector<llvm::WeakVH> accesses;
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function)) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if ((load && load->isVolatile()) || (store && store->isVolatile()))
        accesses.emplace_back(&instruction);
    }
  return accesses;
}

void set_volatile(const std::vector<llvm::WeakVH>& accesses, bool is_volatile) {
  for (llvm::Value* access : accesses) {
    if (auto* load = llvm::dyn_cast_if_present<llvm::LoadInst>(access))
      load->setVolatile(is_volatile);
    if (auto* store = llvm::dyn_cast_if_present<llvm::StoreInst>(access))
      store->setVolatile(is_volatile);
  }
}

// The loads that the source has, but for those of its variables.
std::vector<llvm::WeakVH> loads_of_memory(llvm::Module& ir) {
  std::vector<llvm::WeakVH> loads;
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function)) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load &&
          !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(load->getPointerOperand())))
        loads.emplace_back(load);
    }
  return loads;
}

// A load whose value is dropped stays: the source asks for it. What a copy of a record loads and
// drops goes.
void keep_unused(const std::vector<llvm::WeakVH>& loads) {
  for (llvm::Value* each : loads)
    if (auto* load = llvm::dyn_cast_if_present<llvm::LoadInst>(each); load && load->use_empty())
      load->setVolatile(true);
}

// A null pointer of another space, `addrspacecast null`, is the null pointer of its own space: in
// OpenCL C all of them are 0.
void name_null_pointers(llvm::Module& ir) {
  for (auto& function : ir)
    for (auto& instruction : llvm::instructions(function))
      for (auto& operand : instruction.operands()) {
        const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(operand.get());
        if (cast && cast->getOpcode() == llvm::Instruction::AddrSpaceCast &&
            cast->getOperand(0)->isNullValue())
          operand.set(llvm::Constant::getNullValue(cast->getType()));
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

void infer_address_spaces(llvm::Module& ir, Tidying wanted) {
  const auto loads =
      wanted == Tidying::pointers ? loads_of_memory(ir) : std::vector<llvm::WeakVH>();
  llvm::FunctionPassManager registers;
  registers.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  run(ir, std::move(registers));
  keep_unused(loads);
  llvm::FunctionPassManager tidying;
  tidying.addPass(llvm::EarlyCSEPass(true));
  if (wanted == Tidying::all) tidying.addPass(llvm::InstCombinePass());
  run(ir, std::move(tidying));
  name_null_pointers(ir);
  for (auto& function : ir) name_stored_pointers(function);
  // These passes change pointers only, not accesses, so `volatile` can be off meanwhile.
  const auto accesses = volatile_accesses(ir);
  set_volatile(accesses, false);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::InferAddressSpacesPass(generic_space));
  passes.addPass(llvm::InferAddressSpacesPass(constant_space));
  passes.addPass(
      llvm::InferAddressSpacesPass(device_space));  // initialisers of private arrays are tables
  run(ir, std::move(passes));
  set_volatile(accesses, true);
}

}  // namespace msci
