#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "analysis/check/passes/calls.h"
#include "analysis/check/passes/check_parts.h"
#include "analysis/check/passes/vector_parts.h"
#include "compiler/frontend/passes.h"
#include "compiler/ir/spaces.h"

namespace msci {
namespace {

using llvm::Value;

// ---- variables that are only loaded and stored whole

using Users = std::vector<llvm::Instruction*>;

Users users_of(llvm::AllocaInst& variable) {
  Users users;
  for (auto* user : variable.users()) users.push_back(llvm::cast<llvm::Instruction>(user));
  return users;
}

// Whether no way leads to a load but by stores of all that it uses: parameters, and most of all
// others.
bool is_always_written(const Users& users, const llvm::DominatorTree& dominators) {
  return llvm::all_of(users, [&](const llvm::Instruction* user) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
    if (!load) return true;
    std::uint64_t written = 0;
    for (const auto* other : users)
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(other))
        if (dominators.dominates(store, load)) written |= parts_stored(*store);
    return written == ~std::uint64_t{0} || (parts_used(*load) & ~written) == 0;
  });
}

// Bits beside the variable say which of its components were written; they become a register with
// it. `begin` is where the function's work does.
class ScalarWatch {
 public:
  ScalarWatch(llvm::Type& type, llvm::Instruction& begin)
      : builder_(&begin),
        // A number of one bit or a word: other types have no name in OpenCL C.
        type_(type.isVectorTy() ? builder_.getInt32Ty() : builder_.getInt1Ty()),
        written_(builder_.CreateAlloca(type_)) {
    forget();
  }

  // Marks the value of a load that may read what was never written, which becomes some number; null
  // for others.
  llvm::CallInst* visit(llvm::Instruction& user, SourceLocations& locations) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&user)) {
      const auto wanted = bits(parts_used(*load));
      if (load->use_empty() || wanted->isNullValue()) return nullptr;
      builder_.SetInsertPoint(load->getNextNode());
      Value* holds = builder_.CreateLoad(type_, written_);
      if (!type_->isIntegerTy(1))
        holds = builder_.CreateICmpEQ(builder_.CreateAnd(holds, wanted), wanted);
      return call_private(builder_, builder_.CreateFreeze(load), holds, locations.number(*load));
    }
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
      builder_.SetInsertPoint(store->getNextNode());
      add(bits(parts_stored(*store)));
    } else if (const auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
               marker && marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start) {
      builder_.SetInsertPoint(user.getNextNode());
      forget();
    }
    return nullptr;
  }

 private:
  llvm::Constant* bits(std::uint64_t parts) const {
    return llvm::ConstantInt::get(type_, parts & (type_->isIntegerTy(1) ? 1 : 0xffff));
  }
  void forget() { builder_.CreateStore(bits(0), written_); }
  void add(llvm::Constant* parts) {
    const bool is_all = type_->isIntegerTy(1) && parts->isOneValue();
    builder_.CreateStore(
        is_all ? parts : builder_.CreateOr(builder_.CreateLoad(type_, written_), parts), written_);
  }

  llvm::IRBuilder<> builder_;
  llvm::Type* type_;
  llvm::AllocaInst* written_;
};

void watch_scalars(llvm::Function& function, SourceLocations& locations) {
  const llvm::DominatorTree dominators(function);
  auto& begin = *function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  for (auto* variable : variables_of(function)) {
    if (!llvm::isAllocaPromotable(variable)) continue;
    const auto users = users_of(*variable);
    if (is_always_written(users, dominators)) continue;
    ScalarWatch watch(*variable->getAllocatedType(), begin);
    Users marks;
    for (auto* user : users)
      if (auto* mark = watch.visit(*user, locations)) marks.push_back(mark);
    for (auto* mark : marks) {
      auto* frozen = llvm::cast<llvm::FreezeInst>(mark->getOperand(0));
      frozen->getOperand(0)->replaceUsesWithIf(
          mark, [&](const llvm::Use& use) { return use.getUser() != frozen; });
    }
  }
}

// Clang makes every variable's address a generic one.
void name_spaces(llvm::FunctionPassManager& passes) {
  for (const auto space : {generic_space, constant_space, device_space})
    passes.addPass(llvm::InferAddressSpacesPass(space));
}

}  // namespace

void check_private_memory(llvm::Module& ir, SourceLocations& locations) {
  llvm::FunctionPassManager first;
  name_spaces(first);
  run(ir, std::move(first));
  for (auto& function : ir)
    if (!function.isDeclaration()) watch_scalars(function, locations);
  llvm::FunctionPassManager then;
  then.addPass(llvm::PromotePass());
  name_spaces(then);  // of pointers that were variables
  run(ir, std::move(then));
  for (auto& function : ir)
    if (!function.isDeclaration()) check_private_arrays(function, locations);
}

}  // namespace msci
