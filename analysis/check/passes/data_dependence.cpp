#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <vector>

#include "analysis/check/passes/check_parts.h"
#include "compiler/ir/spaces.h"

namespace msci {
namespace {

using llvm::Value;

// Whether two values are the same number, computed in two places from the same instructions.
bool are_same(const Value& a, const Value& b, unsigned depth = 8) {
  if (&a == &b) return true;
  const auto* first = llvm::dyn_cast<llvm::Operator>(&a);
  const auto* second = llvm::dyn_cast<llvm::Operator>(&b);
  if (!first || !second || depth == 0 || first->getOpcode() != second->getOpcode() ||
      first->getNumOperands() != second->getNumOperands() || first->getType() != second->getType())
    return false;
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&a);
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&a);
  if (instruction && !load && (instruction->mayReadOrWriteMemory() || llvm::isa<llvm::PHINode>(a)))
    return false;
  if (load && load->isAtomic()) return false;
  for (unsigned i = 0; i < first->getNumOperands(); ++i)
    if (!are_same(*first->getOperand(i), *second->getOperand(i), depth - 1)) return false;
  return true;
}

// Whether a value follows from an atomic load of the place.
bool follows_from_load_of(const Value& value, const Value& place, std::set<const Value*>& seen) {
  if (!seen.insert(&value).second) return false;
  const auto* user = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!user) return false;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
    return load->isAtomic() && are_same(*load->getPointerOperand(), place);
  if (user->mayReadOrWriteMemory() && !llvm::isa<llvm::CallInst>(user)) return false;
  return llvm::any_of(user->operands(), [&](const llvm::Use& operand) {
    return follows_from_load_of(*operand, place, seen);
  });
}

}  // namespace

DataDependence::DataDependence(llvm::Function& kernel)
    : dominators_(kernel), post_dominators_(kernel) {}

bool DataDependence::decides(const Value& pointer) {
  std::set<const Value*> seen;
  return is_data(pointer, seen);
}

bool DataDependence::decides_reaching(const llvm::Instruction& instruction) {
  for (const auto* condition : conditions_of(instruction)) {
    std::set<const Value*> seen;
    if (is_data(*condition, seen)) return true;
  }
  return false;
}

bool DataDependence::stores_back(const llvm::StoreInst& store) {
  const auto& place = *store.getPointerOperand();
  std::set<const Value*> seen;
  if (follows_from_load_of(*store.getValueOperand(), place, seen)) return true;
  if (llvm::isa<llvm::Constant>(store.getValueOperand())) return false;  // a flag is raised
  for (const auto* condition : conditions_of(store))
    if (follows_from_load_of(*condition, place, seen)) return true;
  return false;
}

std::set<const Value*> DataDependence::conditions_of(const llvm::Instruction& instruction) const {
  std::set<const Value*> conditions;
  const auto* block = instruction.getParent();
  const auto* node = dominators_.getNode(block);
  for (node = node ? node->getIDom() : nullptr; node; node = node->getIDom()) {
    const auto* end = node->getBlock()->getTerminator();
    if (end->getNumSuccessors() < 2 || post_dominators_.dominates(block, node->getBlock()))
      continue;
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end))
      conditions.insert(branch->getCondition());
    else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end))
      conditions.insert(choice->getCondition());
  }
  return conditions;
}

bool DataDependence::is_data(const Value& value, std::set<const Value*>& seen) {
  if (!seen.insert(&value).second) return false;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) return is_loaded_data(*load, seen);
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value)) return true;
  const auto* user = llvm::dyn_cast<llvm::User>(&value);
  if (!user || llvm::isa<llvm::GlobalValue>(value) || llvm::isa<llvm::AllocaInst>(value))
    return false;
  return llvm::any_of(user->operands(),
                      [&](const llvm::Use& operand) { return is_data(*operand, seen); });
}

bool DataDependence::is_loaded_data(const llvm::LoadInst& load, std::set<const Value*>& seen) {
  const auto* object = llvm::getUnderlyingObject(load.getPointerOperand());
  if (load.isAtomic() || load.getPointerAddressSpace() == threadgroup_space) return true;
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(object))
    return is_data_of(*variable, seen);
  // Every thread reads the same place of a scalar or a struct that the host binds.
  const Value* pointer = load.getPointerOperand();
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    for (const auto& index : step->indices())
      if (!llvm::isa<llvm::Constant>(index) && !llvm::isa<llvm::Argument>(index)) return true;
    pointer = step->getPointerOperand();
  }
  return !llvm::isa<llvm::Argument>(pointer);
}

// Whether anything that a private variable gets is data.
bool DataDependence::is_data_of(const llvm::AllocaInst& variable, std::set<const Value*>& seen) {
  std::set<const Value*> pointers{&variable};
  std::vector<const Value*> open{&variable};
  while (!open.empty()) {
    const auto* pointer = open.back();
    open.pop_back();
    for (const auto* user : pointer->users()) {
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (is_data(*store->getValueOperand(), seen)) return true;
      } else if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user)) {
        const auto* from = llvm::getUnderlyingObject(copy->getRawSource());
        if (copy->getRawDest() == pointer && !llvm::isa<llvm::Argument>(from)) return true;
      } else if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(user) &&
                 pointers.insert(user).second) {
        open.push_back(user);
      }
    }
  }
  return false;
}

}  // namespace msci
