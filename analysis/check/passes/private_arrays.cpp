#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <set>

#include "analysis/check/passes/calls.h"
#include "analysis/check/passes/check_parts.h"
#include "analysis/check/passes/vector_parts.h"
#include "compiler/ir/spaces.h"

namespace msci {
namespace {

using llvm::Value;

// An access to a variable, through pointers that all come from variables.
struct Use {
  llvm::Instruction* instruction = nullptr;
  llvm::Use* pointer = nullptr;
  unsigned bytes = 0;
  llvm::Align align;  // that the access counts on
};

// Whether the access through that pointer is the read of a copy from memory to memory.
bool is_source(const llvm::Use& pointer) {
  return llvm::isa<llvm::MemTransferInst>(pointer.getUser()) && pointer.getOperandNo() == 1;
}

// Where pointers into variables and tables go.
class PointerFlow {
 public:
  PointerFlow(llvm::Function& function, const std::vector<Value*>& roots)
      : function_(function), layout_(function.getDataLayout()) {
    for (auto* root : roots) follow(*root);
    give_up_unknown();
  }

  // Whether all accesses to the variable are known: to it, and to those that share a pointer with
  // it.
  bool is_followed(const Value& root) const { return !given_up_.contains(&root); }
  // The variables that a pointer may lead into.
  const std::set<const Value*>& roots_of(const Value& pointer) const { return roots_.at(&pointer); }
  const std::vector<Use>& uses() const { return uses_; }
  // Where lifetimes of a variable begin.
  const std::vector<llvm::Instruction*>& starts_of(const Value& variable) {
    return starts_[&variable];
  }

 private:
  void follow(Value& root) {
    std::vector<Value*> open{&root};
    roots_[&root].insert(&root);
    while (!open.empty()) {
      auto* pointer = open.back();
      open.pop_back();
      for (auto& use : pointer->uses()) {
        auto* user = use.getUser();
        auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
        if (instruction && instruction->getFunction() != &function_) continue;
        if (leads_on(*user)) {
          if (roots_[user].insert(&root).second) open.push_back(user);
        } else if (!instruction || !take(use, *instruction, root)) {
          given_up_.insert(&root);
        }
      }
    }
  }

  static bool leads_on(const llvm::User& user) {
    return llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(user) ||
           llvm::isa<llvm::PHINode, llvm::SelectInst>(user);
  }

  bool take(llvm::Use& use, llvm::Instruction& user, const Value& root) {
    const auto add = [&](std::uint64_t bytes, llvm::Align align) {
      if (seen_.insert(&use).second)
        uses_.push_back({&user, &use, static_cast<unsigned>(bytes), align});
      return true;
    };
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&user))
      return add(layout_.getTypeStoreSize(load->getType()), load->getAlign());
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&user))
      return use.getOperandNo() == 1 &&
             add(layout_.getTypeStoreSize(store->getValueOperand()->getType()), store->getAlign());
    if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&user)) {
      const auto* length = llvm::dyn_cast<llvm::ConstantInt>(memory->getLength());
      const auto align = is_source(use) ? llvm::cast<llvm::MemTransferInst>(user).getSourceAlign()
                                        : memory->getDestAlign();
      return length && add(length->getZExtValue(), align.valueOrOne());
    }
    const auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
    if (!marker || !marker->isLifetimeStartOrEnd()) return llvm::isa<llvm::ICmpInst>(user);
    if (marker->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
      starts_[&root].push_back(&user);
    return true;
  }

  static bool is_nothing(const Value& pointer) {
    return llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(pointer);
  }

  // A pointer that may lead to something else, too, or into both a variable and a table, gives up
  // all that it may lead into; and so do all that share a pointer with those.
  void give_up_unknown() {
    for (const auto& [pointer, roots] : roots_) {
      const auto* user = llvm::dyn_cast<llvm::User>(pointer);
      if (!llvm::isa<llvm::PHINode, llvm::SelectInst>(pointer)) continue;
      const bool is_select = llvm::isa<llvm::SelectInst>(pointer);
      bool is_known = true, has_nothing = false;
      for (unsigned i = is_select; i < user->getNumOperands(); ++i) {
        has_nothing |= is_nothing(*user->getOperand(i));
        is_known &= roots_.contains(user->getOperand(i)) || is_nothing(*user->getOperand(i));
      }
      const auto tables = llvm::count_if(
          roots, [](const Value* root) { return llvm::isa<llvm::GlobalVariable>(root); });
      if (!is_known || (tables > 0 && (roots.size() > 1 || has_nothing)))
        given_up_.insert(roots.begin(), roots.end());
    }
    for (bool again = true; again;) {
      again = false;
      for (const auto& [pointer, roots] : roots_)
        if (llvm::any_of(roots, [&](const Value* root) { return given_up_.contains(root); }))
          for (const auto* root : roots) again |= given_up_.insert(root).second;
    }
  }

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  std::map<const Value*, std::set<const Value*>> roots_;  // by pointer
  std::set<const Value*> given_up_;
  std::set<const llvm::Use*> seen_;
  std::vector<Use> uses_;
  std::map<const Value*, std::vector<llvm::Instruction*>> starts_;
};

class ArrayChecker {
 public:
  ArrayChecker(llvm::Function& function, SourceLocations& locations)
      : function_(function),
        layout_(function.getDataLayout()),
        locations_(locations),
        builder_(function.getContext()),
        flow_(function, roots()) {}

  void run() {
    for (auto* root : roots())
      if (flow_.is_followed(*root)) watch(*root);
    for (auto use : flow_.uses())
      if (const auto* root = *flow_.roots_of(*use.pointer->get()).begin(); flow_.is_followed(*root))
        check(use);
    for (auto& [memory, block] : blocks_) mark_copied(*memory, block);
  }

 private:
  // Where a pointer leads.
  struct Origin {
    Value* base = nullptr;     // of the variable or table
    Value* bytes = nullptr;    // of it
    Value* written = nullptr;  // a byte for each of its bytes; none for tables
    Value* offset = nullptr;   // from the base, in bytes
  };

  std::vector<Value*> roots() {
    std::vector<Value*> all;
    for (auto* variable : variables_of(function_))
      if (const auto bytes = variable->getAllocationSize(layout_);
          bytes && bytes->getFixedValue() > 0)
        all.push_back(variable);
    for (auto& table : function_.getParent()->globals())
      if (table.getAddressSpace() == table_space) all.push_back(&table);
    return all;
  }

  void watch(Value& root) {
    Origin origin{.base = &root, .offset = builder_.getInt64(0)};
    if (const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(&root)) {
      origin.bytes =
          builder_.getInt64(layout_.getTypeAllocSize(table->getValueType()).getFixedValue());
    } else {
      const auto size = llvm::cast<llvm::AllocaInst>(root).getAllocationSize(layout_);
      origin.bytes = builder_.getInt64(size->getFixedValue());
      origin.written = shadow_of(size->getFixedValue(), 0, flow_.starts_of(root));
    }
    origins_[&root] = origin;
  }

  // `first`: 1 if the memory counts as written from the beginning.
  Value* shadow_of(std::uint64_t size, std::uint8_t first,
                   const std::vector<llvm::Instruction*>& starts) {
    builder_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
    auto* written =
        builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), size), nullptr, "written");
    written->setAlignment(llvm::Align(16));
    builder_.SetInsertPoint(function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    builder_.CreateMemSet(written, builder_.getInt8(first), size, llvm::Align(16));
    for (auto* marker : starts) {
      builder_.SetInsertPoint(marker->getNextNode());
      builder_.CreateMemSet(written, builder_.getInt8(0), size, llvm::Align(16));
    }
    return written;
  }

  // What a null pointer leads into: nothing, with room for accesses that are reported.
  const Origin& nothing() {
    if (nothing_.base) return nothing_;
    const auto at = builder_.saveIP();
    builder_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
    auto* room = builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), redirect_room),
                                       nullptr, "nothing");
    room->setAlignment(llvm::Align(16));
    nothing_ = {.base = room, .bytes = builder_.getInt64(0), .offset = builder_.getInt64(0)};
    nothing_.written = shadow_of(redirect_room, 1, {});
    builder_.restoreIP(at);
    return nothing_;
  }

  // ---- where pointers lead

  Origin origin_of(Value* pointer) {
    if (const auto known = origins_.find(pointer); known != origins_.end()) return known->second;
    if (llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(pointer)) return nothing();
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer)) return origin_of_phi(*phi);
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(pointer)) return origin_of_choice(*choice);
    auto* user = llvm::cast<llvm::User>(pointer);
    auto origin = origin_of(user->getOperand(0));
    if (llvm::isa<llvm::GEPOperator>(pointer)) {
      if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(pointer))
        builder_.SetInsertPoint(instruction);
      auto* step = llvm::emitGEPOffset(&builder_, layout_, user);
      step = builder_.CreateSExtOrTrunc(step, builder_.getInt64Ty());
      origin.offset = builder_.CreateAdd(origin.offset, step);
    }
    return origins_[pointer] = origin;
  }

  Origin origin_of_choice(llvm::SelectInst& choice) {
    const auto a = origin_of(choice.getTrueValue());
    const auto b = origin_of(choice.getFalseValue());
    builder_.SetInsertPoint(&choice);
    const auto either = [&](Value* first, Value* second) {
      return first == second ? first : builder_.CreateSelect(choice.getCondition(), first, second);
    };
    return origins_[&choice] = {either(a.base, b.base), either(a.bytes, b.bytes),
                                either(a.written, b.written), either(a.offset, b.offset)};
  }

  // A pointer that runs through a loop is its own origin there, so the answer comes first.
  Origin origin_of_phi(llvm::PHINode& phi) {
    const auto& roots = flow_.roots_of(phi);
    const bool has_null = llvm::any_of(phi.incoming_values(), [](const llvm::Use& value) {
      return llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(value);
    });
    const bool is_one = roots.size() == 1 && !has_null;
    const auto known = is_one ? origins_.at(*roots.begin()) : nothing();
    builder_.SetInsertPoint(&phi);
    const auto make = [&](Value* like) {
      return builder_.CreatePHI(like->getType(), phi.getNumIncomingValues());
    };
    Origin origin = known;
    origin.offset = make(known.offset);
    if (!is_one) {
      origin.base = make(known.base);
      origin.bytes = make(known.bytes);
      origin.written = make(known.written);
    }
    origins_[&phi] = origin;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const auto from = origin_of(phi.getIncomingValue(i));
      const auto add = [&](Value* to, Value* value) {
        llvm::cast<llvm::PHINode>(to)->addIncoming(value, phi.getIncomingBlock(i));
      };
      add(origin.offset, from.offset);
      if (is_one) continue;
      add(origin.base, from.base);
      add(origin.bytes, from.bytes);
      add(origin.written, from.written);
    }
    return origin;
  }

  // ---- checks

  void check(Use& use) {
    auto origin = origin_of(use.pointer->get());
    builder_.SetInsertPoint(use.instruction);
    builder_.SetCurrentDebugLocation(use.instruction->getDebugLoc());
    const bool writes = use.instruction->mayWriteToMemory() && !is_source(*use.pointer);
    const auto* size = llvm::dyn_cast<llvm::ConstantInt>(origin.bytes);
    // A cast to something larger; rare enough to leave.
    if (use.bytes > (size ? size->getZExtValue() : redirect_room)) return;
    if (!is_inside(origin, use.bytes)) {
      auto* bytes = builder_.getInt64(use.bytes);
      auto* inside = builder_.CreateICmpULE(origin.offset, builder_.CreateSub(origin.bytes, bytes));
      if (!size) inside = builder_.CreateAnd(inside, builder_.CreateICmpUGE(origin.bytes, bytes));
      call_hold(builder_, inside, Fault::Kind::out_of_bounds, locations_.number(*use.instruction),
                writes ? AccessKind::write : AccessKind::read);
      origin.offset = builder_.CreateSelect(inside, origin.offset, builder_.getInt64(0));
      redirect(use, origin);
    }
    align(use, origin, writes);
    if (!origin.written) return;
    auto* shadow = builder_.CreateGEP(builder_.getInt8Ty(), origin.written, origin.offset);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(use.instruction))
      require_written(*load, shadow);
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(use.instruction))
      mark_written(*store, shadow);
    else
      remember_block(*llvm::cast<llvm::MemIntrinsic>(use.instruction), *use.pointer, shadow);
  }

  // Reports an access that violates the alignment of its type, and moves it.
  void align(Use& use, Origin& origin, bool writes) {
    const auto low_bits = use.align.value() - 1;
    auto* strays = builder_.CreateAnd(origin.offset, builder_.getInt64(low_bits));
    auto* is_aligned = builder_.CreateICmpEQ(strays, builder_.getInt64(0));
    if (low_bits == 0 || llvm::isa<llvm::Constant>(is_aligned)) return;
    call_hold(builder_, is_aligned, Fault::Kind::misaligned, locations_.number(*use.instruction),
              writes ? AccessKind::write : AccessKind::read);
    origin.offset = builder_.CreateSub(origin.offset, strays);
    redirect(use, origin);
  }

  // Lets a use access the array at that offset.
  void redirect(Use& use, const Origin& origin) {
    auto* base =
        builder_.CreatePointerBitCastOrAddrSpaceCast(origin.base, use.pointer->get()->getType());
    use.pointer->set(builder_.CreateGEP(builder_.getInt8Ty(), base, origin.offset));
  }

  static bool is_inside(const Origin& origin, std::uint64_t bytes) {
    const auto* offset = llvm::dyn_cast<llvm::ConstantInt>(origin.offset);
    const auto* size = llvm::dyn_cast<llvm::ConstantInt>(origin.bytes);
    return offset && size && offset->getValue().ule(size->getZExtValue() - bytes);
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

  static constexpr std::uint64_t redirect_room = 256;

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  SourceLocations& locations_;
  llvm::IRBuilder<> builder_;
  PointerFlow flow_;
  std::map<const Value*, Origin> origins_;
  Origin nothing_;
  std::map<llvm::MemIntrinsic*, Block> blocks_;
};

}  // namespace

std::vector<llvm::AllocaInst*> variables_of(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> all;
  for (auto& instruction : llvm::instructions(function))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (variable->isStaticAlloca()) all.push_back(variable);
  return all;
}

void check_private_arrays(llvm::Function& function, SourceLocations& locations) {
  ArrayChecker(function, locations).run();
}

}  // namespace msci
