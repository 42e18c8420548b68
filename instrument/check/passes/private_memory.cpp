#include "instrument/check/passes/private_memory.h"

#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <map>
#include <optional>

#include "compiler/ir/spaces.h"
#include "frontend/passes.h"
#include "instrument/check/passes/calls.h"
#include "instrument/check/passes/vector_parts.h"

namespace msci {
namespace {

using llvm::Value;

std::vector<llvm::AllocaInst*> variables_of(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> all;
  for (auto& instruction : llvm::instructions(function))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (variable->isStaticAlloca()) all.push_back(variable);
  return all;
}

// ---- variables that are only loaded and stored whole

using Users = std::vector<llvm::Instruction*>;

Users users_of(llvm::AllocaInst& variable) {
  Users users;
  for (auto* user : variable.users()) users.push_back(llvm::cast<llvm::Instruction>(user));
  return users;
}

// Whether no way leads to a load but by stores of all that it uses: parameters, and most of all
// others.
bool is_always_written(const Users& users, const llvm::DominatorTree& dominators) {
  return llvm::all_of(users, [&](const llvm::Instruction* user) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
    if (!load) return true;
    std::uint64_t written = 0;
    for (const auto* other : users)
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(other))
        if (dominators.dominates(store, load)) written |= parts_stored(*store);
    return written == ~std::uint64_t{0} || (parts_used(*load) & ~written) == 0;
  });
}

// Bits beside the variable say which of its components were written; they become a register with
// it. `begin` is where the function's work does.
class ScalarWatch {
 public:
  ScalarWatch(llvm::Type& type, llvm::Instruction& begin)
      : builder_(&begin),
        // A number of one bit or a word: other types have no name in OpenCL C.
        type_(type.isVectorTy() ? builder_.getInt32Ty() : builder_.getInt1Ty()),
        written_(builder_.CreateAlloca(type_)) {
    forget();
  }

  void visit(llvm::Instruction& user, SourceLocations& locations) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&user)) {
      const auto wanted = bits(parts_used(*load));
      if (load->use_empty() || wanted->isNullValue()) return;
      builder_.SetInsertPoint(load);
      Value* holds = builder_.CreateLoad(type_, written_);
      if (!type_->isIntegerTy(1))
        holds = builder_.CreateICmpEQ(builder_.CreateAnd(holds, wanted), wanted);
      call_hold(builder_, holds, Fault::Kind::uninitialised, locations.number(*load),
                AccessKind::read);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
      builder_.SetInsertPoint(store->getNextNode());
      add(bits(parts_stored(*store)));
    } else if (const auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
               marker && marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start) {
      builder_.SetInsertPoint(user.getNextNode());
      forget();
    }
  }

 private:
  llvm::Constant* bits(std::uint64_t parts) const {
    return llvm::ConstantInt::get(type_, parts & (type_->isIntegerTy(1) ? 1 : 0xffff));
  }
  void forget() { builder_.CreateStore(bits(0), written_); }
  void add(llvm::Constant* parts) {
    const bool is_all = type_->isIntegerTy(1) && parts->isOneValue();
    builder_.CreateStore(
        is_all ? parts : builder_.CreateOr(builder_.CreateLoad(type_, written_), parts), written_);
  }

  llvm::IRBuilder<> builder_;
  llvm::Type* type_;
  llvm::AllocaInst* written_;
};

void watch_scalars(llvm::Function& function, SourceLocations& locations) {
  const llvm::DominatorTree dominators(function);
  auto& begin = *function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  for (auto* variable : variables_of(function)) {
    if (!llvm::isAllocaPromotable(variable)) continue;
    const auto users = users_of(*variable);
    if (is_always_written(users, dominators)) continue;
    ScalarWatch watch(*variable->getAllocatedType(), begin);
    for (auto* user : users) watch.visit(*user, locations);
  }
}

// ---- arrays and structures

// An access to a variable, through pointers that all come from it.
struct Use {
  llvm::Instruction* instruction = nullptr;
  llvm::Use* pointer = nullptr;
  unsigned bytes = 0;
};

class ArrayChecker {
 public:
  ArrayChecker(llvm::Function& function, SourceLocations& locations)
      : function_(function),
        layout_(function.getDataLayout()),
        locations_(locations),
        builder_(function.getContext()) {}

  void run() {
    for (auto* variable : variables_of(function_)) watch(*variable);
    for (auto& table : function_.getParent()->globals())
      if (table.getAddressSpace() == table_space) watch_table(table);
    for (auto& [memory, block] : blocks_) mark_copied(*memory, block);
  }

 private:
  struct Watched {
    Value* base = nullptr;
    std::uint64_t bytes = 0;
    Value* written = nullptr;  // a byte for each of its bytes; none for tables
  };

  void watch(llvm::AllocaInst& variable) {
    const auto bytes = variable.getAllocationSize(layout_);
    std::vector<Use> uses;
    if (!bytes || bytes->getFixedValue() == 0 || !collect(variable, uses)) return;
    const auto size = bytes->getFixedValue();
    builder_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
    auto* written =
        builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), size), nullptr, "written");
    written->setAlignment(llvm::Align(16));
    builder_.SetInsertPoint(function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    builder_.CreateMemSet(written, builder_.getInt8(0), size, llvm::Align(16));
    const Watched watched{&variable, size, written};
    for (auto* marker : starts_) {
      builder_.SetInsertPoint(marker->getNextNode());
      builder_.CreateMemSet(written, builder_.getInt8(0), size, llvm::Align(16));
    }
    for (auto& use : uses) check(use, watched);
  }

  void watch_table(llvm::GlobalVariable& table) {
    std::vector<Use> uses;
    if (!collect(table, uses)) return;
    const Watched watched{&table, layout_.getTypeAllocSize(table.getValueType()).getFixedValue()};
    for (auto& use : uses)
      if (use.instruction->getFunction() == &function_) check(use, watched);
  }

  // Finds all accesses through a pointer; false where it goes ways that are not followed.
  bool collect(Value& variable, std::vector<Use>& uses) {
    starts_.clear();
    offsets_[&variable] = builder_.getInt64(0);
    std::vector<Value*> open{&variable};
    while (!open.empty()) {
      auto* pointer = open.back();
      open.pop_back();
      for (auto& use : pointer->uses()) {
        auto* user = use.getUser();
        if (llvm::isa<llvm::GEPOperator>(user) || llvm::isa<llvm::AddrSpaceCastOperator>(user)) {
          open.push_back(user);
        } else if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
          if (!take(use, *instruction, uses)) return false;
        } else {
          return false;
        }
      }
    }
    return true;
  }

  bool take(llvm::Use& use, llvm::Instruction& user, std::vector<Use>& uses) {
    const auto add = [&](std::uint64_t bytes) {
      uses.push_back({&user, &use, static_cast<unsigned>(bytes)});
      return true;
    };
    if (llvm::isa<llvm::LoadInst>(user)) return add(layout_.getTypeStoreSize(user.getType()));
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&user))
      return use.getOperandNo() == 1 &&
             add(layout_.getTypeStoreSize(store->getValueOperand()->getType()));
    if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&user)) {
      const auto* length = llvm::dyn_cast<llvm::ConstantInt>(memory->getLength());
      return length && add(length->getZExtValue());
    }
    const auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
    if (!marker || !marker->isLifetimeStartOrEnd()) return llvm::isa<llvm::ICmpInst>(user);
    if (marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start) starts_.push_back(&user);
    return true;
  }

  // How far a pointer is from the variable's beginning, in bytes.
  Value* offset_of(Value* pointer) {
    if (const auto known = offsets_.find(pointer); known != offsets_.end()) return known->second;
    auto* user = llvm::cast<llvm::User>(pointer);
    auto* before = offset_of(user->getOperand(0));
    if (!llvm::isa<llvm::GEPOperator>(pointer)) return offsets_[pointer] = before;
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(pointer))
      builder_.SetInsertPoint(instruction);
    auto* step = llvm::emitGEPOffset(&builder_, layout_, user);
    step = builder_.CreateSExtOrTrunc(step, builder_.getInt64Ty());
    return offsets_[pointer] = builder_.CreateAdd(before, step);
  }

  void check(Use& use, const Watched& watched) {
    auto* offset = offset_of(use.pointer->get());
    builder_.SetInsertPoint(use.instruction);
    builder_.SetCurrentDebugLocation(use.instruction->getDebugLoc());
    const bool writes =
        use.instruction->mayWriteToMemory() &&
        !(llvm::isa<llvm::MemTransferInst>(use.instruction) && use.pointer->getOperandNo() == 1);
    if (use.bytes > watched.bytes) return;  // a cast to something larger; rare enough to leave
    if (!is_inside(offset, use.bytes, watched.bytes)) {
      auto* inside = builder_.CreateICmpULE(offset, builder_.getInt64(watched.bytes - use.bytes));
      call_hold(builder_, inside, Fault::Kind::out_of_bounds, locations_.number(*use.instruction),
                writes ? AccessKind::write : AccessKind::read);
      offset = builder_.CreateSelect(inside, offset, builder_.getInt64(0));
      redirect(use, watched, offset);
    }
    offset = align(use, watched, offset, writes);
    if (!watched.written) return;
    auto* shadow = builder_.CreateGEP(builder_.getInt8Ty(), watched.written, offset);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(use.instruction))
      require_written(*load, shadow);
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(use.instruction))
      mark_written(*store, shadow);
    else
      remember_block(*llvm::cast<llvm::MemIntrinsic>(use.instruction), *use.pointer, shadow);
  }

  // Reports an access that violates the alignment of its type, and moves it. Returns its offset.
  Value* align(Use& use, const Watched& watched, Value* offset, bool writes) {
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(use.instruction)) return offset;
    const auto low_bits = llvm::getLoadStoreAlignment(use.instruction).value() - 1;
    auto* strays = builder_.CreateAnd(offset, builder_.getInt64(low_bits));
    auto* is_aligned = builder_.CreateICmpEQ(strays, builder_.getInt64(0));
    if (low_bits == 0 || llvm::isa<llvm::Constant>(is_aligned)) return offset;
    call_hold(builder_, is_aligned, Fault::Kind::misaligned, locations_.number(*use.instruction),
              writes ? AccessKind::write : AccessKind::read);
    offset = builder_.CreateSub(offset, strays);
    redirect(use, watched, offset);
    return offset;
  }

  // Lets a use access the array at that offset.
  void redirect(Use& use, const Watched& watched, Value* offset) {
    auto* base =
        builder_.CreatePointerBitCastOrAddrSpaceCast(watched.base, use.pointer->get()->getType());
    use.pointer->set(builder_.CreateGEP(builder_.getInt8Ty(), base, offset));
  }

  static bool is_inside(Value* offset, std::uint64_t bytes, std::uint64_t size) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(offset);
    return constant && constant->getValue().ule(size - bytes);
  }

  // Calls `each` with the address and the size of every part of a value in memory.
  template <typename Each>
  void for_parts(llvm::Type* type, Value* shadow, Each each) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    const unsigned parts = vector ? vector->getNumElements() : 1;
    const auto bytes = layout_.getTypeStoreSize(vector ? vector->getElementType() : type);
    for (unsigned i = 0; i < parts; ++i)
      each(i, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), shadow, i * bytes), bytes);
  }

  static llvm::APInt all_written(std::uint64_t bytes) {
    return llvm::APInt::getSplat(static_cast<unsigned>(8 * bytes), llvm::APInt(8, 1));
  }

  // A volatile read whose value is dropped is for the compiler alone.
  void require_written(llvm::LoadInst& load, Value* shadow) {
    const auto wanted = parts_used(load);
    if (load.use_empty() || wanted == 0) return;
    Value* holds = nullptr;
    for_parts(load.getType(), shadow, [&](unsigned part, Value* at, std::uint64_t bytes) {
      if (!(wanted >> part & 1)) return;
      auto* type = builder_.getIntNTy(static_cast<unsigned>(8 * bytes));
      auto* is_written = builder_.CreateICmpEQ(builder_.CreateAlignedLoad(type, at, llvm::Align(1)),
                                               builder_.getInt(all_written(bytes)));
      holds = holds ? builder_.CreateAnd(holds, is_written) : is_written;
    });
    call_hold(builder_, holds, Fault::Kind::uninitialised, locations_.number(load),
              AccessKind::read);
  }

  void mark_written(const llvm::StoreInst& store, Value* shadow) {
    auto* type = store.getValueOperand()->getType();
    const auto parts = parts_stored(store);
    const auto bytes = layout_.getTypeStoreSize(type).getFixedValue();
    if (type->isAggregateType())
      return void(builder_.CreateMemSet(shadow, builder_.getInt8(1), bytes, llvm::Align(1)));
    for_parts(type, shadow, [&](unsigned part, Value* at, std::uint64_t size) {
      if (!(parts >> part & 1)) return;
      builder_.CreateAlignedStore(builder_.getInt(all_written(size)), at, llvm::Align(1));
    });
  }

  // Copies and fillings of whole structures: what was written goes along.
  struct Block {
    Value* to = nullptr;
    Value* from = nullptr;
  };

  void remember_block(llvm::MemIntrinsic& memory, const llvm::Use& pointer, Value* shadow) {
    auto& block = blocks_[&memory];
    (pointer.getOperandNo() == 0 ? block.to : block.from) = shadow;
  }

  void mark_copied(llvm::MemIntrinsic& memory, const Block& block) {
    if (!block.to) return;
    builder_.SetInsertPoint(&memory);
    auto* length = memory.getLength();
    if (block.from)
      builder_.CreateMemMove(block.to, llvm::Align(1), block.from, llvm::Align(1), length);
    else
      builder_.CreateMemSet(block.to, builder_.getInt8(1), length, llvm::Align(1));
  }

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  SourceLocations& locations_;
  llvm::IRBuilder<> builder_;
  std::vector<llvm::Instruction*> starts_;  // where the variable's lifetimes begin
  std::map<Value*, Value*> offsets_;
  std::map<llvm::MemIntrinsic*, Block> blocks_;
};

// Clang makes every variable's address a generic one.
void name_spaces(llvm::FunctionPassManager& passes) {
  for (const auto space : {generic_space, constant_space, device_space})
    passes.addPass(llvm::InferAddressSpacesPass(space));
}

}  // namespace

void check_private_memory(llvm::Module& ir, SourceLocations& locations) {
  llvm::FunctionPassManager first;
  name_spaces(first);
  run(ir, std::move(first));
  for (auto& function : ir)
    if (!function.isDeclaration()) watch_scalars(function, locations);
  llvm::FunctionPassManager then;
  then.addPass(llvm::PromotePass());
  name_spaces(then);  // of pointers that were variables
  run(ir, std::move(then));
  for (auto& function : ir)
    if (!function.isDeclaration()) ArrayChecker(function, locations).run();
}

}  // namespace msci
