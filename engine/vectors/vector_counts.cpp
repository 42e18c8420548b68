#include <llvm/IR/Module.h>

#include "engine/vectors/vectoriser.h"

namespace msci::engine {

namespace {

std::uint64_t number_of(const llvm::CallInst& call) {
  return llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
}

}  // namespace

// Calls a function of work_counter.h, which no kernel's memory depends on.
void Vectoriser::call_counter(llvm::StringRef name, llvm::ArrayRef<Value*> arguments) {
  std::vector<Value*> all{counter_};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<Type*> types;
  for (auto* argument : all) types.push_back(argument->getType());
  auto callee =
      to_.getOrInsertFunction(name, llvm::FunctionType::get(builder_.getVoidTy(), types, false));
  auto* declared = llvm::cast<llvm::Function>(callee.getCallee());
  declared->setDoesNotThrow();
  declared->setMemoryEffects(llvm::MemoryEffects::inaccessibleOrArgMemOnly());
  builder_.CreateCall(callee, all);
}

void Vectoriser::count_block(const llvm::CallInst& call) {
  result_.blocks = std::max<std::size_t>(result_.blocks, number_of(call) + 1);
  call_counter("msci_engine_count_block", {call.getArgOperand(0), mask_bits()});
}

void Vectoriser::count_access(const llvm::CallInst& call) {
  result_.sites = std::max<std::size_t>(result_.sites, number_of(call) + 1);
  auto* addresses = builder_.CreatePtrToInt(vector(*call.getArgOperand(4)), wide(i64_));
  call_counter("msci_engine_count_access",
               {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2),
                call.getArgOperand(3), spilled(addresses, Spill::offsets), mask_bits()});
}

}  // namespace msci::engine
