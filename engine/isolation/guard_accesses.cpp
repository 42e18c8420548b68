#include "engine/isolation/guard_accesses.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>
#include <vector>

#include "compiler/ir/spaces.h"
#include "engine/isolation/windows.h"

namespace msci::engine {
namespace {

using llvm::Value;

// One access of the kernel.
struct Access {
  llvm::Instruction* instruction;
  unsigned operand;  // the pointer
  llvm::Type* type;  // of what is accessed

  Value& pointer() const { return *instruction->getOperand(operand); }
  unsigned space() const { return pointer().getType()->getPointerAddressSpace(); }
};

std::optional<Access> access_of(llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return Access{load, llvm::LoadInst::getPointerOperandIndex(), load->getType()};
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return Access{store, llvm::StoreInst::getPointerOperandIndex(),
                  store->getValueOperand()->getType()};
  if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return Access{atomic, llvm::AtomicRMWInst::getPointerOperandIndex(), atomic->getType()};
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return Access{exchange, llvm::AtomicCmpXchgInst::getPointerOperandIndex(),
                  exchange->getCompareOperand()->getType()};
  return std::nullopt;
}

bool is_near(const std::optional<Reach>& reach) {
  return reach && reach->least >= -most_before && reach->most <= most_behind;
}

class Guards {
 public:
  explicit Guards(llvm::Function& kernel)
      : kernel_(kernel),
        ir_(*kernel.getParent()),
        layout_(ir_.getDataLayout()),
        builder_(kernel.getContext()) {}

  void add() {
    join_if_needed();
    AccessBounds bounds(kernel_);
    bounds_ = &bounds;
    std::vector<Access> accesses;
    for (auto& instruction : llvm::instructions(kernel_))
      if (const auto access = access_of(instruction)) accesses.push_back(*access);
    // First what needs a guard, then the guards: these change what the analyses look at.
    std::vector<Access> moved, arrays;
    for (const auto& access : accesses) {
      const bool is_array = access.space() == thread_space || access.space() == table_space;
      if (is_array ? is_inside(access) : is_near(bounds_->reach(access.pointer()))) continue;
      (is_array ? arrays : moved).push_back(access);
    }
    std::vector<Value*> parameters;
    for (const auto& access : moved) parameters.push_back(bounds_->parameter(access.pointer()));
    std::vector<Value*> single;
    for (const auto& access : arrays) single.push_back(bounds_->array(access.pointer()));
    for (std::size_t i = 0; i < moved.size(); ++i) move(moved[i], parameters[i]);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (single[i]) extents_[&arrays[i].pointer()] = whole(*single[i]);
      hold(arrays[i]);
    }
  }

 private:
  // An array: where it begins and its bytes.
  struct Extent {
    Value* begin = nullptr;
    Value* bytes = nullptr;
  };

  std::uint64_t bytes_of(llvm::Type* type) const {
    return layout_.getTypeStoreSize(type).getFixedValue();
  }

  std::uint64_t size_of(const Value& array) const {
    const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&array);
    return alloca
               ? alloca->getAllocationSize(layout_)->getFixedValue()
               : layout_.getTypeAllocSize(llvm::cast<llvm::GlobalVariable>(array).getValueType());
  }

  bool is_inside(const Access& access) {
    auto* array = bounds_->array(access.pointer());
    return array && bounds_->is_inside(access.pointer(), *array, size_of(*array),
                                       bytes_of(access.type), *access.instruction);
  }

  // ---- memory that lies in a window

  void move(const Access& access, Value* parameter) {
    auto& pointer = access.pointer();
    auto* type = pointer.getType();
    builder_.SetInsertPoint(access.instruction);
    std::vector<Value*> arguments{&pointer};
    const bool is_device = access.space() != threadgroup_space;
    if (is_device) arguments.push_back(parameter ? parameter : llvm::Constant::getNullValue(type));
    const auto name = is_device ? guard_device_call : guard_threadgroup_call;
    auto& guard = declare(name, type, arguments);
    guard.setDoesNotAccessMemory();
    guard.setWillReturn();
    access.instruction->setOperand(access.operand, builder_.CreateCall(&guard, arguments));
  }

  llvm::Function& declare(std::string_view name, llvm::Type* result,
                          llvm::ArrayRef<Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (auto* argument : arguments) types.push_back(argument->getType());
    auto& function = *llvm::cast<llvm::Function>(
        ir_.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false)).getCallee());
    function.setDoesNotThrow();
    return function;
  }

  // ---- arrays of a known size

  void hold(const Access& access) {
    auto& pointer = access.pointer();
    const auto extent = extent_of(pointer);
    builder_.SetInsertPoint(access.instruction);
    auto* offset =
        builder_.CreateFreeze(builder_.CreateSub(number(pointer), number(*extent.begin)));
    auto* needed = builder_.getInt64(bytes_of(access.type));
    auto* fits = builder_.CreateICmpULE(needed, extent.bytes);
    auto* inside = builder_.CreateAnd(
        fits, builder_.CreateICmpULE(offset, builder_.CreateSub(extent.bytes, needed)));
    const auto kind =
        access.space() == table_space ? GuardedArray::table : GuardedArray::private_array;
    const std::vector<Value*> arguments{inside, builder_.getInt32(static_cast<unsigned>(kind))};
    builder_.CreateCall(&declare(guard_array_call, builder_.getVoidTy(), arguments), arguments);
    // By the number that was compared: another use of an undefined one may be another number.
    access.instruction->setOperand(access.operand,
                                   builder_.CreateGEP(builder_.getInt8Ty(), extent.begin, offset));
  }

  Value* number(Value& pointer) { return builder_.CreatePtrToInt(&pointer, builder_.getInt64Ty()); }

  Extent whole(Value& array) { return {&array, builder_.getInt64(size_of(array))}; }

  // Beside each pointer that may lead into several arrays, values of the one that it does.
  Extent extent_of(Value& pointer) {
    if (const auto known = extents_.find(&pointer); known != extents_.end()) return known->second;
    return extents_[&pointer] = make_extent(pointer);
  }

  Extent make_extent(Value& pointer) {
    if (llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(pointer)) return whole(pointer);
    if (auto* step = llvm::dyn_cast<llvm::GEPOperator>(&pointer))
      return extent_of(*step->getPointerOperand());
    if (auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(&pointer))
      return extent_of(*frozen->getOperand(0));
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&pointer)) {
      const auto yes = extent_of(*select->getTrueValue());
      const auto no = extent_of(*select->getFalseValue());
      builder_.SetInsertPoint(select);
      auto* condition = select->getCondition();
      return {builder_.CreateSelect(condition, yes.begin, no.begin),
              builder_.CreateSelect(condition, yes.bytes, no.bytes)};
    }
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&pointer)) return make_extent_of_phi(*phi);
    return elsewhere(pointer);
  }

  Extent make_extent_of_phi(llvm::PHINode& phi) {
    const auto count = phi.getNumIncomingValues();
    builder_.SetInsertPoint(&phi);
    auto* begin = builder_.CreatePHI(phi.getType(), count);
    auto* bytes = builder_.CreatePHI(builder_.getInt64Ty(), count);
    extents_[&phi] = {begin, bytes};  // around a loop
    for (unsigned i = 0; i < count; ++i) {
      const auto each = extent_of(*phi.getIncomingValue(i));
      begin->addIncoming(each.begin, phi.getIncomingBlock(i));
      bytes->addIncoming(each.bytes, phi.getIncomingBlock(i));
    }
    return {begin, bytes};
  }

  // A pointer that the kernel has read from memory leads into any private array, and a null pointer
  // into none.
  Extent elsewhere(const Value& pointer) {
    if (joined_ && !llvm::isa<llvm::Constant>(pointer)) return whole(*joined_);
    return {llvm::Constant::getNullValue(pointer.getType()), builder_.getInt64(0)};
  }

  // Where pointers to private arrays are read from memory, makes one array of all.
  void join_if_needed() {
    std::vector<llvm::AllocaInst*> arrays;
    bool reads_pointers = false;
    for (auto& instruction : llvm::instructions(kernel_)) {
      if (auto* array = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) arrays.push_back(array);
      const auto* type = llvm::dyn_cast<llvm::PointerType>(instruction.getType());
      reads_pointers |= type && type->getAddressSpace() == thread_space &&
                        !llvm::isa<llvm::AllocaInst, llvm::GetElementPtrInst, llvm::SelectInst,
                                   llvm::PHINode, llvm::FreezeInst>(instruction);
    }
    if (reads_pointers && !arrays.empty()) join(arrays);
  }

  void join(llvm::ArrayRef<llvm::AllocaInst*> arrays) {
    std::vector<std::uint64_t> places;
    std::uint64_t bytes = 0;
    llvm::Align align(16);
    for (const auto* array : arrays) {
      align = std::max(align, array->getAlign());
      bytes = llvm::alignTo(bytes, std::max(llvm::Align(16), array->getAlign()));
      places.push_back(bytes);
      bytes += size_of(*array);
    }
    builder_.SetInsertPointPastAllocas(&kernel_);
    joined_ = builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), bytes));
    joined_->setAlignment(align);
    joined_->moveBefore(kernel_.getEntryBlock().begin());
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      arrays[i]->replaceAllUsesWith(
          builder_.CreateConstGEP1_64(builder_.getInt8Ty(), joined_, places[i]));
      arrays[i]->eraseFromParent();
    }
  }

  llvm::Function& kernel_;
  llvm::Module& ir_;
  const llvm::DataLayout& layout_;
  AccessBounds* bounds_ = nullptr;
  llvm::IRBuilder<> builder_;
  llvm::AllocaInst* joined_ = nullptr;
  std::map<const Value*, Extent> extents_;
};

}  // namespace

void guard_accesses(llvm::Function& kernel) { Guards(kernel).add(); }

}  // namespace msci::engine
