#include "compiler/ir/threadgroup_variables.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>

#include "compiler/ir/spaces.h"

namespace msci {
namespace {

bool is_used_in(const llvm::Function& kernel, const llvm::Value& value) {
  for (const auto* user : value.users()) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
      if (instruction->getFunction() == &kernel) return true;
    } else if (is_used_in(kernel, *user)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<llvm::GlobalVariable*> threadgroup_variables_of(llvm::Function& kernel) {
  std::vector<llvm::GlobalVariable*> variables;
  for (auto& variable : kernel.getParent()->globals())
    if (variable.getAddressSpace() == threadgroup_space && is_used_in(kernel, variable))
      variables.push_back(&variable);
  return variables;
}

std::size_t threadgroup_bytes_of(llvm::Function& kernel) {
  std::size_t bytes = 0;
  for (const auto* variable : threadgroup_variables_of(kernel))
    bytes += kernel.getDataLayout().getTypeAllocSize(variable->getValueType()).getFixedValue();
  return bytes;
}

}  // namespace msci
