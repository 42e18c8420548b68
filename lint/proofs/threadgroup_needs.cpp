#include "lint/proofs/threadgroup_needs.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Mangle.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <set>
#include <string>

#include "compiler/frontend/module.h"
#include "compiler/frontend/optimise.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"

namespace msci {
namespace {

constexpr unsigned threadgroup_space = 3;  // in LLVM's IR

// The kernels of these names in another unit of the same source.
std::vector<Kernel> same_kernels(const std::vector<Kernel>& kernels, const Unit& unit) {
  std::set<std::string> names;
  for (const auto& kernel : kernels) names.insert(kernel.name);
  std::vector<Kernel> same;
  for (const auto& kernel : unit.kernels())
    if (names.contains(kernel.name)) same.push_back(kernel);
  return same;
}

using Blocks = std::set<const llvm::BasicBlock*>;

// What is not there to be read while compiling: a function constant, or what is made from one when
// the program is loaded. A threadgroup's memory is another matter.
bool is_function_constant(const llvm::Value& pointer) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer.stripPointerCasts());
  return variable && variable->getAddressSpace() != threadgroup_space &&
         (variable->isDeclaration() || !variable->isConstant());
}

bool asks_for_function_constant(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName() == "msci.function_constant.defined";
}

// Whether a value is known as soon as the host has given the function constants theirs.
bool hangs_on_function_constants(const llvm::Value& value) {
  llvm::SetVector<const llvm::Value*> parts;
  parts.insert(&value);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto* part = parts[i];
    if (llvm::isa<llvm::Constant>(part) || asks_for_function_constant(*part)) continue;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(part)) {
      if (!is_function_constant(*load->getPointerOperand())) return false;
    } else if (llvm::isa<llvm::CastInst, llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst,
                         llvm::SelectInst, llvm::FreezeInst, llvm::IntrinsicInst>(part)) {
      for (const auto& operand : llvm::cast<llvm::User>(part)->operands()) parts.insert(operand);
    } else {
      return false;
    }
  }
  return true;
}

// Whether function constants alone decide where a block ends up.
bool is_choice(const llvm::Instruction& terminator) {
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator))
    return branch->isConditional() && hangs_on_function_constants(*branch->getCondition());
  const auto* branch = llvm::dyn_cast<llvm::SwitchInst>(&terminator);
  return branch && hangs_on_function_constants(*branch->getCondition());
}

void collect_blocks(const llvm::Value& value, const llvm::Function& kernel, Blocks& blocks) {
  for (const auto& use : value.uses()) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!instruction)
      collect_blocks(*use.getUser(), kernel, blocks);
    else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
             phi && phi->getFunction() == &kernel)
      blocks.insert(phi->getIncomingBlock(use));
    else if (instruction->getFunction() == &kernel)
      blocks.insert(instruction->getParent());
  }
}

// Whether a kernel reaches one of these blocks whatever values its function constants have.
bool is_always_reached(Blocks blocks, const llvm::Function& kernel) {
  const auto leads_there = [&](const llvm::BasicBlock& block) {
    const auto next = llvm::successors(&block);
    const auto is_there = [&](const llvm::BasicBlock* each) { return blocks.contains(each); };
    return is_choice(*block.getTerminator()) ? llvm::all_of(next, is_there)
                                             : llvm::any_of(next, is_there);
  };
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto* block : llvm::post_order(&kernel))
      if (!blocks.contains(block) && leads_there(*block)) grew = blocks.insert(block).second;
  }
  return blocks.contains(&kernel.getEntryBlock());
}

ThreadgroupNeeds needs_of(const llvm::Function& kernel) {
  const auto& ir = *kernel.getParent();
  ThreadgroupNeeds needs;
  for (const auto& variable : ir.globals()) {
    if (variable.getAddressSpace() != threadgroup_space) continue;
    Blocks blocks;
    collect_blocks(variable, kernel, blocks);
    if (blocks.empty()) continue;
    const auto add_to = [&](std::uint64_t& bytes) {
      bytes = llvm::alignTo(bytes, variable.getAlign().valueOrOne()) +
              ir.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
    };
    add_to(needs.most);
    if (is_always_reached(std::move(blocks), kernel)) add_to(needs.always);
  }
  return needs;
}

}  // namespace

std::vector<ThreadgroupNeeds> threadgroup_needs(const std::vector<Kernel>& kernels,
                                                const Unit& unit) {
  // Generating code changes a unit, so another one is taken.
  auto copy = parse_again(unit);
  if (!copy) return {};
  auto module = lower(*copy, same_kernels(kernels, *copy), WithLocations::no);
  if (!module) return {};
  inline_everything(module->ir());
  optimise(module->ir());
  std::vector<ThreadgroupNeeds> needs;
  for (const auto& kernel : kernels) {
    const auto* function =
        module->ir().getFunction(clang::ASTNameGenerator(unit.ast()).getName(kernel.declaration));
    needs.push_back(function ? needs_of(*function) : ThreadgroupNeeds{});
  }
  return needs;
}

}  // namespace msci
