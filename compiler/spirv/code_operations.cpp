#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <array>
#include <string_view>
#include <utility>

#include "compiler/ir/spaces.h"
#include "compiler/spirv/spirv_kernel.h"

namespace msci {
namespace {

unsigned elements_of(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

OperationKind access(unsigned space, OperationKind device, OperationKind threadgroup) {
  if (space == threadgroup_space) return threadgroup;
  return space == thread_space ? OperationKind::other : device;
}

// By parts of the names of functions: LLVM's "llvm.sqrt.f32", OpenCL's "_Z11native_sqrtf".
OperationKind kind_of_function(std::string_view name) {
  using enum OperationKind;
  static constexpr auto kinds = std::to_array<std::pair<std::string_view, OperationKind>>({
      {"barrier", barrier},
      {"llvm.fmuladd", multiply_add},
      {"llvm.fma.", multiply_add},
      {"sqrt", root},
      {"sin", sine},
      {"cos", sine},
      {"exp", exponential},
      {"log", logarithm},
      {"llvm.floor", round},
      {"llvm.ceil", round},
      {"llvm.trunc", round},
      {"llvm.rint", round},
      {"llvm.round", round},
      {"min", select},
      {"max", select},
  });
  for (const auto& [part, kind] : kinds)
    if (name.find(part) != name.npos) return kind;
  return other;
}

OperationKind kind_of(const llvm::Instruction& instruction) {
  using enum OperationKind;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Load:
      return access(llvm::cast<llvm::LoadInst>(instruction).getPointerAddressSpace(), load,
                    threadgroup_load);
    case llvm::Instruction::Store:
      return access(llvm::cast<llvm::StoreInst>(instruction).getPointerAddressSpace(), store,
                    threadgroup_store);
    case llvm::Instruction::AtomicRMW:
    case llvm::Instruction::AtomicCmpXchg:
      return atomic;
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
      return add;
    case llvm::Instruction::FMul:
      return multiply;
    case llvm::Instruction::FDiv:
      return reciprocal;
    case llvm::Instruction::Mul:
      return multiply_integers;
    case llvm::Instruction::Select:
      return select;
    case llvm::Instruction::FPToUI:
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::UIToFP:
    case llvm::Instruction::SIToFP:
      return convert;
    case llvm::Instruction::Br:
      return llvm::cast<llvm::BranchInst>(instruction).isConditional() ? branch : other;
    case llvm::Instruction::Call: {
      const auto* callee = llvm::cast<llvm::CallInst>(instruction).getCalledFunction();
      return callee ? kind_of_function(callee->getName()) : other;
    }
    default:
      return other;
  }
}

bool is_access(OperationKind kind) {
  return kind == OperationKind::load || kind == OperationKind::store ||
         kind == OperationKind::threadgroup_load || kind == OperationKind::threadgroup_store;
}

}  // namespace

std::vector<CodeOperation> operations_of(llvm::Function& kernel) {
  std::vector<CodeOperation> operations;
  for (const auto* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&kernel))
    for (const auto& instruction : *block) {
      const auto kind = kind_of(instruction);
      if (kind == OperationKind::other) continue;
      const auto& at = instruction.getDebugLoc();
      const CodeOperation operation{kind, at ? at.getLine() : 0};
      operations.insert(operations.end(), is_access(kind) ? 1 : elements_of(instruction.getType()),
                        operation);
    }
  return operations;
}

}  // namespace msci
