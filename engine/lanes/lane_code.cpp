#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/convergence.h"
#include "compiler/ir/builtins.h"
#include "compiler/ir/spaces.h"
#include "engine/isolation/guard_accesses.h"
#include "engine/isolation/windows.h"
#include "engine/lanes/lanes.h"
#include "engine/threadgroup/simdgroup.h"
#include "engine/vectors/specialise.h"

namespace msci::engine {

namespace {

using llvm::Type;
using llvm::Value;

bool is_meeting(llvm::StringRef name) {
  return name.starts_with("msci.barrier.") || name.starts_with("msci.simd.") ||
         name.starts_with("msci.quad.");
}

class LaneCode {
 public:
  explicit LaneCode(llvm::Function& kernel)
      : ir_(*kernel.getParent()), kernel_(kernel), builder_(kernel.getContext()) {}

  VectorKernel run() {
    number_meetings();
    make_function();
    place_threadgroup_memory();
    fill_private_memory();
    for (auto* call : calls()) replace(*call);
    for (const auto& instruction : llvm::instructions(function_))
      if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        result_.stack_bytes += alloca->getAllocationSize(ir_.getDataLayout())->getFixedValue();
    return result_;
  }

 private:
  // Later steps may copy a meeting, but all copies keep its number.
  void number_meetings() {
    std::uint32_t number = 0;
    for (auto* block : reconvergence_order(kernel_))
      for (auto& instruction : *block)
        if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            call && is_meeting(call->getCalledFunction()->getName()))
          points_[call] = number++;
  }

  // A function with the parameters of LaneFunction takes over the kernel's body.
  void make_function() {
    auto* i32 = builder_.getInt32Ty();
    auto* type =
        llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy(), i32, i32, i32}, false);
    result_.symbol = kernel_.getName().str() + ".lane";
    function_ =
        llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, result_.symbol, ir_);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    function_->setSubprogram(kernel_.getSubprogram());
    function_->splice(function_->begin(), &kernel_);
    builder_.SetInsertPointPastAllocas(function_);
    auto* words = builder_.CreateLoad(builder_.getPtrTy(), function_->getArg(0));
    for (unsigned i = 0; i < kernel_.arg_size(); ++i) {
      auto* parameter = kernel_.getArg(i);
      if (parameter->use_empty()) continue;
      auto* place = builder_.CreateConstGEP1_64(builder_.getInt64Ty(), words, i);
      parameter->replaceAllUsesWith(builder_.CreateLoad(parameter->getType(), place));
    }
    first_ = &*builder_.GetInsertPoint();
    kernel_.eraseFromParent();
  }

  Value* field(unsigned offset, Type* type) {
    return builder_.CreateLoad(
        type, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), function_->getArg(0), offset));
  }

  void place_threadgroup_memory() {
    std::vector<llvm::Constant*> arrays;
    for (auto& variable : ir_.globals())
      if (variable.getAddressSpace() == threadgroup_space) arrays.push_back(&variable);
    llvm::convertUsersOfConstantsToInstructions(arrays, function_);
    // In front of all that was made: a number that a phi takes is computed where its block begins.
    builder_.SetInsertPoint(&*function_->getEntryBlock().begin());
    auto* memory =
        field(offsetof(Threadgroup, threadgroup_memory), builder_.getPtrTy(threadgroup_space));
    for (auto* array : arrays) {
      auto* variable = llvm::cast<llvm::GlobalVariable>(array);
      variable->removeDeadConstantUsers();
      if (!variable->use_empty()) {
        const auto align = std::max<std::uint64_t>(16, variable->getAlign().valueOrOne().value());
        result_.threadgroup_bytes = llvm::alignTo(result_.threadgroup_bytes, align);
        variable->replaceAllUsesWith(
            builder_.CreateConstGEP1_64(builder_.getInt8Ty(), memory, result_.threadgroup_bytes));
        result_.threadgroup_bytes += ir_.getDataLayout().getTypeAllocSize(variable->getValueType());
      }
      variable->eraseFromParent();
    }
  }

  // Not what earlier passes left there, and defined for the guards.
  void fill_private_memory() {
    builder_.SetInsertPoint(first_);
    for (auto& instruction : function_->getEntryBlock())
      if (auto* array = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        builder_.CreateMemSet(array, builder_.getInt8(junk_byte),
                              array->getAllocationSize(ir_.getDataLayout())->getFixedValue(),
                              array->getAlign());
  }

  std::vector<llvm::CallInst*> calls() {
    std::vector<llvm::CallInst*> calls;
    for (auto& instruction : llvm::instructions(function_))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) calls.push_back(call);
    return calls;
  }

  void replace(llvm::CallInst& call) {
    builder_.SetInsertPoint(&call);
    const auto name = call.getCalledFunction()->getName();
    Value* made = nullptr;
    if (call.getIntrinsicID() == llvm::Intrinsic::powi)
      made = math("powi", call, call.getType());
    else if (call.getCalledFunction()->isIntrinsic())
      return;
    else if (name == llvm::StringRef(guard_array_call))
      hold(call);
    else if (name.starts_with(guard_prefix))
      made = guarded(call);
    else if (is_meeting(name))
      made = meeting(call, name);
    else if (name == "msci.fence")
      builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
    else if (name.starts_with("msci.math."))
      made = math(name.drop_front(10).rsplit('.').first, call, call.getType());
    else
      made = id(name);
    if (made) call.replaceAllUsesWith(made);
    call.eraseFromParent();
  }

  // A call that specialise() left.
  Value* id(llvm::StringRef name) {
    auto* i32 = builder_.getInt32Ty();
    if (name == llvm::StringRef(lane_call)) return function_->getArg(3);
    if (name == llvm::StringRef(simdgroup_call)) return function_->getArg(2);
    const unsigned d = static_cast<unsigned>(name.back() - '0');
    if (name.starts_with(llvm::StringRef(group_call)))
      return d == 0 ? function_->getArg(1) : field(offsetof(Threadgroup, group) + 4 * d, i32);
    if (name.starts_with(llvm::StringRef(size_call)))
      return field(offsetof(Threadgroup, size) + 4 * d, i32);
    assert(name.starts_with(llvm::StringRef(local_call)) && "no other function is left");
    auto* table = field(offsetof(Threadgroup, local) + 8 * d, builder_.getPtrTy());
    auto* first = builder_.CreateMul(function_->getArg(2), builder_.getInt32(lane_count));
    return builder_.CreateLoad(
        i32, builder_.CreateGEP(i32, table, builder_.CreateAdd(first, function_->getArg(3))));
  }

  // Vectoriser::visit_guard() for one lane.
  void hold(llvm::CallInst& call) {
    auto* end = llvm::SplitBlockAndInsertIfThen(builder_.CreateNot(call.getArgOperand(0)), &call,
                                                /*Unreachable=*/true);
    builder_.SetInsertPoint(end);
    auto callee =
        ir_.getOrInsertFunction(guard_failure, builder_.getVoidTy(), builder_.getInt32Ty());
    llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotReturn();
    builder_.CreateCall(callee, {call.getArgOperand(1)});
  }

  // Vectoriser::guarded() for one lane.
  Value* guarded(llvm::CallInst& call) {
    auto* i64 = builder_.getInt64Ty();
    auto* type = call.getType();
    Value* base = call.arg_size() > 1 ? call.getArgOperand(1) : nullptr;
    Value* last = builder_.getInt64(most_before + most_memory_bytes + window_margin);
    std::int64_t before = most_before;
    if (base && llvm::isa<llvm::Constant>(base)) {
      base = field(offsetof(Threadgroup, buffers), type);
      last = builder_.CreateSub(field(offsetof(Threadgroup, buffers_bytes), i64),
                                builder_.getInt64(window_margin));
      before = 0;
    } else if (!base) {
      base = field(offsetof(Threadgroup, threadgroup_memory), type);
    }
    auto* distance = builder_.CreateSub(builder_.CreatePtrToInt(call.getArgOperand(0), i64),
                                        builder_.CreatePtrToInt(base, i64));
    auto* shifted = builder_.CreateAdd(builder_.CreateFreeze(distance), builder_.getInt64(before));
    auto* kept = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, shifted, last);
    return builder_.CreateGEP(builder_.getInt8Ty(), base,
                              builder_.CreateSub(kept, builder_.getInt64(before)));
  }

  Value* meeting(llvm::CallInst& call, llvm::StringRef name) {
    result_.waits = true;
    const bool is_barrier = name.starts_with("msci.barrier.");
    auto* i32 = builder_.getInt32Ty();
    const auto word = [&](unsigned argument) -> Value* {
      if (is_barrier || argument >= call.arg_size()) return builder_.getInt32(0);
      return builder_.CreateBitCast(call.getArgOperand(argument), i32);
    };
    auto callee = ir_.getOrInsertFunction(
        "msci_engine_meet", llvm::FunctionType::get(builder_.getInt64Ty(),
                                                    {i32, builder_.getPtrTy(), i32, i32}, false));
    auto* declared = llvm::cast<llvm::Function>(callee.getCallee());
    declared->addFnAttr(llvm::Attribute::Convergent);
    declared->addFnAttr(llvm::Attribute::NoUnwind);
    auto* result =
        builder_.CreateCall(callee, {builder_.getInt32(points_.at(&call)),
                                     builder_.CreateGlobalString(name), word(0), word(1)});
    result->setConvergent();
    auto* type = call.getType();
    if (is_barrier) return nullptr;
    auto* bits = builder_.CreateTrunc(result, builder_.getIntNTy(type->getScalarSizeInBits()));
    return builder_.CreateBitCast(bits, type);
  }

  // A function of mathematics, for each element of its vector.
  Value* math(llvm::StringRef name, llvm::CallInst& call, Type* type) {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    if (!vector) {
      const std::vector<Value*> arguments(call.arg_begin(), call.arg_end());
      return math_of_element(name, call.getCalledFunction()->getName(), arguments, type);
    }
    Value* all = llvm::PoisonValue::get(type);
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      std::vector<Value*> arguments;
      for (const auto& argument : call.args())
        arguments.push_back(argument->getType()->isVectorTy()
                                ? builder_.CreateExtractElement(argument, i)
                                : argument.get());
      all = builder_.CreateInsertElement(all,
                                         math_of_element(name, call.getCalledFunction()->getName(),
                                                         arguments, vector->getElementType()),
                                         i);
    }
    return all;
  }

  Value* math_of_element(llvm::StringRef name, llvm::StringRef full,
                         const std::vector<Value*>& arguments, Type* type) {
    if (name == "mul_hi") {
      const auto bits = type->getIntegerBitWidth();
      auto* twice = builder_.getIntNTy(2 * bits);
      const auto extended = [&](Value* value) {
        return full.contains(".i") ? builder_.CreateSExt(value, twice)
                                   : builder_.CreateZExt(value, twice);
      };
      auto* product = builder_.CreateMul(extended(arguments[0]), extended(arguments[1]));
      return builder_.CreateTrunc(builder_.CreateLShr(product, bits), type);
    }
    if (name == "rsqrt")
      return builder_.CreateFDiv(
          llvm::ConstantFP::get(type, 1.0),
          builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, arguments[0]));
    const auto* builtin = find_math({name.data(), name.size()});
    return library_call(builtin ? llvm::StringRef(builtin->lane->name) : name, arguments, type);
  }

  // A function of lane_math.h, on one lane. It knows floats.
  Value* library_call(llvm::StringRef name, const std::vector<Value*>& arguments, Type* type) {
    auto* pointer = builder_.getPtrTy();
    auto* real = builder_.getFloatTy();
    const auto in_memory = [&](Type* of) { return of->isFloatingPointTy() ? real : of; };
    llvm::IRBuilder<> at(&*function_->getEntryBlock().begin());
    std::vector<Type*> types{pointer, builder_.getInt32Ty()};
    auto* result = at.CreateAlloca(in_memory(type));
    std::vector<Value*> passed{result, builder_.getInt32(1)};
    for (auto* argument : arguments) {
      auto* place = at.CreateAlloca(in_memory(argument->getType()));
      if (argument->getType()->isFloatingPointTy() && argument->getType() != real)
        argument = builder_.CreateFPExt(argument, real);
      builder_.CreateStore(argument, place);
      passed.push_back(place);
      types.push_back(pointer);
    }
    auto callee = ir_.getOrInsertFunction(
        "msci_engine_" + name.str(), llvm::FunctionType::get(builder_.getVoidTy(), types, false));
    builder_.CreateCall(callee, passed);
    auto* loaded = builder_.CreateLoad(in_memory(type), result);
    return type->isFloatingPointTy() && type != real ? builder_.CreateFPTrunc(loaded, type)
                                                     : static_cast<Value*>(loaded);
  }

  llvm::Module& ir_;
  llvm::Function& kernel_;
  llvm::Function* function_ = nullptr;
  llvm::Instruction* first_ = nullptr;  // behind the loads of parameters
  llvm::IRBuilder<> builder_;
  llvm::DenseMap<const llvm::CallInst*, std::uint32_t> points_;
  VectorKernel result_;
};

}  // namespace

VectorKernel make_lane_code(llvm::Function& kernel, std::optional<Extent> shape) {
  specialise(kernel, shape, /*keeps_barriers=*/true);
  guard_accesses(kernel);
  return LaneCode(kernel).run();
}

}  // namespace msci::engine
