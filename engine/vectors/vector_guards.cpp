#include <llvm/IR/Module.h>

#include <cstddef>

#include "compiler/ir/spaces.h"
#include "engine/isolation/guard_accesses.h"
#include "engine/isolation/windows.h"
#include "engine/threadgroup/simdgroup.h"
#include "engine/vectors/vectoriser.h"

namespace msci::engine {

void Vectoriser::visit_guard(llvm::CallInst& call) {
  if (call.getCalledFunction()->getName() != llvm::StringRef(guard_array_call))
    return define(call, {guarded(call, parts(*call.getArgOperand(0), differs(call))[0])});
  const auto end = [&] {
    auto callee = to_.getOrInsertFunction(
        guard_failure, llvm::FunctionType::get(builder_.getVoidTy(), {i32_}, false));
    llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotReturn();
    builder_.CreateCall(callee, {call.getArgOperand(1)});
  };
  const auto& inside = *call.getArgOperand(0);
  if (!differs(inside)) return when(builder_.CreateNot(scalar(inside)), end);
  for_failing(builder_.CreateNot(vector(inside)), [&](Value*) { end(); });
}

// That address, or where no access is allowed: the same for all addresses that lie too far away.
Vectoriser::Value* Vectoriser::guarded(const llvm::CallInst& call, Value* address) {
  Value* base = nullptr;
  Value* last = nullptr;
  std::int64_t before = most_before;
  const auto* parameter = call.arg_size() > 1 ? call.getArgOperand(1) : nullptr;
  if (parameter && llvm::isa<llvm::Constant>(parameter)) {
    base = field(offsetof(Threadgroup, buffers), ptr_);
    last = builder_.CreateSub(field(offsetof(Threadgroup, buffers_bytes), i64_),
                              builder_.getInt64(window_margin));
    before = 0;
  } else {
    base = parameter ? scalar(*parameter) : threadgroup_memory_;
    last = builder_.getInt64(most_before + most_memory_bytes + window_margin);
  }
  const auto all = [&](Value* value) {
    return address->getType()->isVectorTy() ? splat(value) : value;
  };
  auto* words = like(address, i64_);
  auto* distance = builder_.CreateSub(builder_.CreatePtrToInt(address, words),
                                      all(builder_.CreatePtrToInt(base, i64_)));
  auto* shifted = builder_.CreateAdd(builder_.CreateFreeze(distance),
                                     all(builder_.getInt64(static_cast<std::uint64_t>(before))));
  auto* kept = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, shifted, all(last));
  return builder_.CreateGEP(
      i8_, builder_.CreateGEP(i8_, base, builder_.getInt64(static_cast<std::uint64_t>(-before))),
      kept);
}

}  // namespace msci::engine
