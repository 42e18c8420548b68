#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "compiler/spirv/spirv_kernel.h"
#include "tasks/plan/program.h"

namespace msci {
namespace {

bool is_pair(ArgumentKind kind) {
  return kind == ArgumentKind::buffer || kind == ArgumentKind::texture ||
         kind == ArgumentKind::sampler;
}

// The pointers to what a kernel cannot write; buffers lose the offsets behind them.
std::set<const llvm::Value*> constant_pointers(llvm::Function& kernel,
                                               const KernelSignature& signature) {
  std::set<const llvm::Value*> constant;
  unsigned next = 0;
  for (const auto& argument : signature.arguments) {
    auto* pointer = kernel.getArg(next++);
    if (argument.constant) constant.insert(pointer);
    if (!is_pair(argument.kind)) continue;
    auto* offset = kernel.getArg(next++);
    offset->replaceAllUsesWith(llvm::Constant::getNullValue(offset->getType()));
  }
  return constant;
}

// Where a load reads: pointer, offset, type.
using Place = std::tuple<const llvm::Value*, int64_t, llvm::Type*>;

// The loads that each thread executes first, of places that no thread writes, by place.
std::map<Place, std::vector<llvm::LoadInst*>> first_loads(
    llvm::Function& kernel, const std::set<const llvm::Value*>& constant) {
  std::map<Place, std::vector<llvm::LoadInst*>> loads;
  const auto& layout = kernel.getParent()->getDataLayout();
  for (auto& instruction : kernel.getEntryBlock()) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->isSimple() || load->getType()->isAggregateType()) continue;
    llvm::APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
    const auto* base =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    if (constant.contains(base))
      loads[{base, offset.getSExtValue(), load->getType()}].push_back(load);
  }
  return loads;
}

// The number of threads is what the host passes, not a constant of the build.
void take_launch(llvm::Function& kernel) {
  const auto first = kernel.arg_size() - launch_parameters;
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || !call->getCalledFunction()) continue;
    const auto name = call->getCalledFunction()->getName();
    llvm::Value* value = nullptr;
    if (name == "get_global_offset") {
      value = llvm::Constant::getNullValue(call->getType());
    } else if (name == "get_local_size") {
      const auto* axis = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
      if (!axis || axis->getZExtValue() > 2) continue;
      auto* threads = kernel.getArg(static_cast<unsigned>(first + 3 + axis->getZExtValue()));
      value =
          llvm::CastInst::CreateZExtOrBitCast(threads, call->getType(), "", call->getIterator());
    }
    if (!value) continue;
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

}  // namespace

llvm::Function* take_host_values(llvm::Function& kernel, const KernelSignature& signature) {
  const auto loads = first_loads(kernel, constant_pointers(kernel, signature));
  take_launch(kernel);
  std::vector<llvm::Type*> types(kernel.getFunctionType()->param_begin(),
                                 kernel.getFunctionType()->param_end());
  for (const auto& [place, _] : loads) types.push_back(std::get<llvm::Type*>(place));
  auto* type = llvm::FunctionType::get(kernel.getReturnType(), types, false);
  auto* result = llvm::Function::Create(type, kernel.getLinkage(), "", kernel.getParent());
  llvm::ValueToValueMapTy values;
  for (auto& argument : kernel.args()) values[&argument] = result->getArg(argument.getArgNo());
  llvm::SmallVector<llvm::ReturnInst*, 4> returns;
  llvm::CloneFunctionInto(result, &kernel, values, llvm::CloneFunctionChangeType::LocalChangesOnly,
                          returns);
  auto next = static_cast<unsigned>(kernel.arg_size());
  for (const auto& [_, same] : loads) {
    auto* value = result->getArg(next++);
    for (auto* load : same) {
      auto* copy = llvm::cast<llvm::Instruction>(values[load]);
      copy->replaceAllUsesWith(value);
      copy->eraseFromParent();
    }
  }
  result->takeName(&kernel);
  kernel.eraseFromParent();
  return result;
}

}  // namespace msci
