#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <map>
#include <optional>

#include "analysis/check/check_layout.h"
#include "analysis/check/passes/calls.h"
#include "analysis/check/passes/check_parts.h"
#include "compiler/ir/lane_functions.h"
#include "compiler/ir/spaces.h"

namespace msci {
namespace {

using llvm::Value;

std::optional<LaneFunction> lane_function_of(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? lane_function(callee->getName().str()) : std::nullopt;
}

bool asks_a_lane(const llvm::Instruction& instruction) {
  const auto function = lane_function_of(instruction);
  return function && function->travels;
}

// Whether the result says something of the operands, and nothing else happens.
bool passes_on(const llvm::Instruction& instruction) {
  if (lane_function_of(instruction)) return !instruction.getType()->isVoidTy();
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return call->doesNotAccessMemory() && !call->getType()->isVoidTy();
  return !instruction.getType()->isVoidTy() && !instruction.mayReadOrWriteMemory() &&
         !instruction.isTerminator();
}

// What is put aside in private memory is lost sight of.
bool is_put_aside(const llvm::Instruction& instruction) {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && store->getPointerAddressSpace() == thread_space;
}

llvm::CallInst* call_of(Value& value, llvm::StringRef name) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == name ? call : nullptr;
}

// The check of a read of one threadgroup array, as check_accesses has left it; null for other
// loads, also for those that only say whether a store changes something.
llvm::CallInst* check_of_read(llvm::Instruction& instruction) {
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  auto* place = load ? llvm::dyn_cast<llvm::GetElementPtrInst>(load->getPointerOperand()) : nullptr;
  auto* check = place ? call_of(*place->getOperand(1), "msci.check.read.threadgroup") : nullptr;
  const bool is_of_one = check && llvm::isa<llvm::ConstantInt>(check->getArgOperand(3));
  return is_of_one && place->hasOneUse() ? check : nullptr;
}

// Follows undefined values by where they come from (origin_unwritten).
class ValueChecker {
 public:
  ValueChecker(llvm::Function& kernel, SourceLocations& locations)
      : kernel_(kernel), locations_(locations), builder_(kernel.getContext()) {}

  void run() {
    find_followed();
    if (followed_.empty()) return;
    for (auto* value : followed_)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value)) begin_phi(*phi);
    // Operands come before their uses in this order, but for phis.
    std::vector<llvm::Instruction*> in_order;
    for (auto* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&kernel_))
      for (auto& instruction : *block) in_order.push_back(&instruction);
    for (auto* instruction : in_order) visit(*instruction);
    for (auto* value : followed_)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value)) end_phi(*phi);
  }

 private:
  // All that may come from a lane that does not take part, or from memory that was never written.
  void find_followed() {
    for (auto& block : kernel_)
      for (auto& instruction : block)
        if (asks_a_lane(instruction) || check_of_read(instruction) || is_private(instruction))
          followed_.insert(&instruction);
    for (std::size_t i = 0; i < followed_.size(); ++i)
      for (auto* user : followed_[i]->users())
        if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
          if (passes_on(*instruction)) followed_.insert(instruction);
  }

  Value* origin(Value* value) {
    const auto found = origins_.find(value);
    return found == origins_.end() ? nullptr : found->second;
  }

  Value* either(Value* a, Value* b) {
    if (!a || !b || a == b) return a ? a : b;
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
  }

  Value* origin_of_operands(const llvm::Instruction& instruction) {
    Value* all = nullptr;
    for (auto& operand : instruction.operands()) all = either(all, origin(operand));
    return all;
  }

  void begin_phi(llvm::PHINode& phi) {
    builder_.SetInsertPoint(&phi);
    origins_[&phi] = builder_.CreatePHI(builder_.getInt32Ty(), phi.getNumIncomingValues());
  }
  void end_phi(llvm::PHINode& phi) {
    auto* from = llvm::cast<llvm::PHINode>(origins_.at(&phi));
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      auto* of_value = origin(phi.getIncomingValue(i));
      from->addIncoming(of_value ? of_value : builder_.getInt32(0), phi.getIncomingBlock(i));
    }
  }

  void visit(llvm::Instruction& instruction) {
    if (llvm::isa<llvm::PHINode>(instruction)) return;
    if (is_put_aside(instruction)) return put_aside(instruction);
    if (!followed_.contains(&instruction)) return use(instruction);
    builder_.SetInsertPoint(&instruction);
    if (const auto* check = check_of_read(instruction))
      origins_[&instruction] =
          call_unwritten(builder_, const_cast<llvm::CallInst*>(check), check->getArgOperand(1),
                         check->getArgOperand(3), check->getArgOperand(4));
    else if (is_private(instruction))
      begin_private(llvm::cast<llvm::CallInst>(instruction));
    else if (asks_a_lane(instruction))
      ask(llvm::cast<llvm::CallInst>(instruction));
    else if (const auto function = lane_function_of(instruction))
      combine(llvm::cast<llvm::CallInst>(instruction));
    else if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction))
      choose(*choice);
    else if (auto* all = origin_of_operands(instruction))
      origins_[&instruction] = all;
  }

  void choose(llvm::SelectInst& choice) {
    auto* none = builder_.getInt32(0);
    auto* a = origin(choice.getTrueValue());
    auto* b = origin(choice.getFalseValue());
    Value* chosen = either(a, b);  // of vectors, whose components come from either
    if (chosen && !choice.getCondition()->getType()->isVectorTy())
      chosen = builder_.CreateSelect(choice.getCondition(), a ? a : none, b ? b : none);
    if (auto* all = either(chosen, origin(choice.getCondition()))) origins_[&choice] = all;
  }

  void begin_private(llvm::CallInst& mark) {
    const auto* location = llvm::cast<llvm::ConstantInt>(mark.getArgOperand(2));
    const auto read_at = static_cast<std::uint32_t>(location->getZExtValue()) + 1;
    auto* here = builder_.getInt32(origin_unwritten | origin_private | read_at);
    auto* own = builder_.CreateSelect(mark.getArgOperand(1), builder_.getInt32(0), here);
    origins_[&mark] = either(own, origin(mark.getArgOperand(0)));
  }

  // With its word each lane sends where that comes from, plus one: in checked code, 0 is what a
  // lane gets that asks one which takes no part (Vectoriser::travelled() in vector_lanes.cpp).
  void ask(llvm::CallInst& call) {
    auto* before = either(origin(call.getArgOperand(0)), origin(call.getArgOperand(1)));
    auto* one = builder_.getInt32(1);
    auto* sent = before ? builder_.CreateAdd(before, one) : one;
    auto* got = builder_.CreateCall(call.getCalledFunction(), {sent, call.getArgOperand(1)});
    got->setConvergent();
    auto* is_first = builder_.CreateIsNull(got);
    origins_[&call] = builder_.CreateSelect(
        is_first, builder_.getInt32(locations_.number(call) + 1), builder_.CreateSub(got, one));
  }

  // All lanes that take part get what one of them brought.
  void combine(llvm::CallInst& call) {
    auto* before = origin_of_operands(call);
    if (!before) return;
    const bool quad = call.getCalledFunction()->getName().starts_with("msci.quad.");
    auto all =
        kernel_.getParent()->getOrInsertFunction(quad ? "msci.quad.max.u32" : "msci.simd.max.u32",
                                                 builder_.getInt32Ty(), builder_.getInt32Ty());
    auto* shared = builder_.CreateCall(all, {before});
    shared->setConvergent();
    origins_[&call] = shared;
  }

  // What arithmetic is checked for is not what the kernel does.
  void use(llvm::Instruction& instruction) {
    if (call_of(instruction, "msci.check.hold")) return;
    builder_.SetInsertPoint(&instruction);
    if (auto* all = origin_of_operands(instruction))
      call_used(builder_, all, locations_.number(instruction));
  }

  // Memory that was never written counts as used there.
  void put_aside(llvm::Instruction& store) {
    builder_.SetInsertPoint(&store);
    auto* all = origin_of_operands(store);
    if (!all) return;
    auto* is_unwritten = builder_.CreateICmpUGE(all, builder_.getInt32(origin_unwritten));
    call_used(builder_, builder_.CreateSelect(is_unwritten, all, builder_.getInt32(0)),
              locations_.number(store));
  }

  llvm::Function& kernel_;
  SourceLocations& locations_;
  llvm::IRBuilder<> builder_;
  llvm::SetVector<llvm::Instruction*> followed_;
  std::map<Value*, Value*> origins_;
};

}  // namespace

void check_values(llvm::Module& ir, SourceLocations& locations) {
  for (auto& function : ir)
    if (!function.isDeclaration()) ValueChecker(function, locations).run();
  drop_private_marks(ir);
}

void drop_private_marks(llvm::Module& ir) {
  for (auto& function : ir)
    for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (is_private(instruction)) {
        instruction.replaceAllUsesWith(instruction.getOperand(0));
        instruction.eraseFromParent();
      }
}

}  // namespace msci
