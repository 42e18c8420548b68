#include "engine/vectors/specialise.h"

#include <llvm/ADT/Sequence.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

#include <array>

#include "compiler/frontend/passes.h"
#include "compiler/ir/spaces.h"
#include "engine/isolation/guard_accesses.h"

namespace msci::engine {
namespace {

using llvm::Value;

// Values of the simdgroup, built where a work-item function was called.
class Ids {
 public:
  Ids(llvm::Function& kernel, std::optional<Extent> shape)
      : ir_(*kernel.getParent()), kernel_(kernel), builder_(kernel.getContext()) {
    if (shape) shape_ = {shape->x, shape->y, shape->z};
  }

  Value* of(llvm::CallInst& call) {
    builder_.SetInsertPoint(&call);
    const auto name = call.getCalledFunction()->getName();
    if (name == "msci.simd.lane") return lane();
    if (name == "msci.quad.lane") return builder_.CreateAnd(lane(), 3);
    const auto d = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
    return builder_.CreateZExt(work_item(name, static_cast<unsigned>(d)), call.getType());
  }

  // The threads per threadgroup that the host asked for: the last three parameters.
  void name_threadgroup() {
    if (!shape_) return;
    for (unsigned d = 0; d < 3; ++d) requested(d)->replaceAllUsesWith(number((*shape_)[d]));
  }

 private:
  Value* number(unsigned value) { return builder_.getInt32(value); }
  llvm::Argument* requested(unsigned d) { return kernel_.getArg(kernel_.arg_size() - 3 + d); }

  Value* work_item(llvm::StringRef name, unsigned d) {
    if (name == "get_global_offset") return number(0);
    if (name == "get_group_id") return call(group_call, d);
    if (name == "get_local_size") return shape_ ? number((*shape_)[d]) : call(size_call, d);
    if (name == "get_local_id") return local(d);
    assert(name == "get_global_id" && "the lowering calls no other work-item function");
    auto* threads = shape_ ? number((*shape_)[d]) : static_cast<Value*>(requested(d));
    auto* first = builder_.CreateMul(call(group_call, d), threads, "", true);
    return builder_.CreateAdd(first, local(d), "", true);
  }

  // By rows of the threadgroup where these divide a simdgroup or are divided by one: the optimiser
  // then sees which positions are the same in all lanes.
  Value* local(unsigned d) {
    if (!shape_) return call(local_call, d);
    const auto [width, height, depth] = *shape_;
    if ((*shape_)[d] == 1) return number(0);
    if (height == 1 && depth == 1) return thread();
    if (width % lane_count == 0) {
      const unsigned per_row = width / lane_count;
      if (d == 0)
        return joined(
            builder_.CreateMul(remainder(simdgroup(), per_row), number(lane_count), "", true),
            lane());
      auto* row = quotient(simdgroup(), per_row);
      return d == 2 ? quotient(row, height) : depth == 1 ? row : remainder(row, height);
    }
    if (lane_count % width == 0) {
      const unsigned rows = lane_count / width;
      const auto bits = llvm::Log2_32(width);
      if (d == 0) return builder_.CreateAnd(lane(), width - 1);
      auto* row_in_simdgroup = builder_.CreateLShr(lane(), bits);
      if (height % rows == 0) {
        auto* first = depth == 1 ? simdgroup() : remainder(simdgroup(), height / rows);
        if (d == 2) return quotient(simdgroup(), height / rows);
        return joined(builder_.CreateMul(first, number(rows), "", true), row_in_simdgroup);
      }
      auto* row = joined(builder_.CreateMul(simdgroup(), number(rows), "", true), row_in_simdgroup);
      return d == 2 ? quotient(row, height) : depth == 1 ? row : remainder(row, height);
    }
    if (d == 0) return remainder(thread(), width);
    auto* row = quotient(thread(), width);
    return d == 2 ? quotient(row, height) : depth == 1 ? row : remainder(row, height);
  }

  Value* thread() {
    return joined(builder_.CreateMul(simdgroup(), number(lane_count), "", true), lane());
  }

  // The sum of a multiple of a power of two and a number below it.
  Value* joined(Value* multiple, Value* below) {
    return builder_.CreateOr(multiple, below, "", /*IsDisjoint=*/true);
  }
  Value* quotient(Value* value, unsigned by) {
    return by == 1 ? value : builder_.CreateUDiv(value, number(by));
  }
  Value* remainder(Value* value, unsigned by) {
    return by == 1 ? static_cast<Value*>(number(0)) : builder_.CreateURem(value, number(by));
  }

  Value* lane() { return call(lane_call, std::nullopt, lane_count); }
  Value* simdgroup() {
    if (!shape_) return call(simdgroup_call, std::nullopt, lane_count);
    const auto threads = (*shape_)[0] * (*shape_)[1] * (*shape_)[2];
    const auto simdgroups = (threads + lane_count - 1) / lane_count;
    if (simdgroups == 1) return number(0);
    return call(simdgroup_call, std::nullopt, simdgroups);
  }

  // `limit`: the result is less; 0 for unknown.
  Value* call(std::string_view name, std::optional<unsigned> dimension, unsigned limit = 0) {
    auto full = std::string(name) + (dimension ? std::to_string(*dimension) : "");
    auto callee = ir_.getOrInsertFunction(full, builder_.getInt32Ty());
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    function->addFnAttr(llvm::Attribute::Speculatable);
    auto* made = builder_.CreateCall(callee);
    if (limit)
      made->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, limit)));
    return made;
  }

  llvm::Module& ir_;
  llvm::Function& kernel_;
  llvm::IRBuilder<> builder_;
  std::optional<std::array<unsigned, 3>> shape_;
};

bool asks_for_position(llvm::StringRef name) {
  return name.starts_with("get_") || name == "msci.simd.lane" || name == "msci.quad.lane";
}

// Halves are rounded after each operation. Processors with instructions for halves would otherwise
// get operations that are joined or reordered.
void keep_roundings_of_halves(llvm::Function& kernel) {
  for (auto& instruction : llvm::instructions(kernel)) {
    const auto* type = instruction.getType()->getScalarType();
    if (!llvm::isa<llvm::FPMathOperator>(instruction) || !type->is16bitFPTy()) continue;
    instruction.setHasAllowReassoc(false);
    instruction.setHasAllowContract(false);
    instruction.setHasAllowReciprocal(false);
  }
}

}  // namespace

void specialise(llvm::Function& kernel, std::optional<Extent> shape, bool keeps_barriers) {
  define_integers(kernel);
  Ids ids(kernel, shape);
  std::vector<llvm::CallInst*> calls;
  for (auto& instruction : llvm::instructions(kernel))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && call->getCalledFunction())
      calls.push_back(call);
  for (auto* call : calls) {
    const auto name = call->getCalledFunction()->getName();
    if (asks_for_position(name))
      call->replaceAllUsesWith(ids.of(*call));
    else if (keeps_barriers || name != "msci.barrier.simdgroup")
      continue;
    call->eraseFromParent();
  }
  ids.name_threadgroup();
  keep_roundings_of_halves(kernel);

  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::LowerSwitchPass());
  passes.addPass(llvm::FixIrreduciblePass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  run(*kernel.getParent(), std::move(passes));
}

bool knows_only_its_grid(const llvm::Function& kernel) {
  const auto is_known = [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call)) return true;
    const auto* callee = call->getCalledFunction();
    return callee &&
           (callee->getName() == "get_global_id" || callee->getName() == "get_global_offset" ||
            callee->getName().starts_with("msci.math."));
  };
  const auto is_of_threadgroup = [](const llvm::Value& value) {
    const auto* type = llvm::dyn_cast<llvm::PointerType>(value.getType());
    return type && type->getAddressSpace() == threadgroup_space && !value.use_empty();
  };
  const auto& module = *kernel.getParent();
  return llvm::all_of(llvm::instructions(kernel), is_known) &&
         llvm::none_of(kernel.args(), is_of_threadgroup) &&
         llvm::none_of(module.globals(), is_of_threadgroup) &&
         llvm::all_of(llvm::seq(3U), [&](unsigned d) {
           return kernel.getArg(kernel.arg_size() - 3 + d)->use_empty();
         });
}

}  // namespace msci::engine
