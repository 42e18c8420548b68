#include <llvm/ADT/StringExtras.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <optional>
#include <set>

#include "analysis/check/passes/calls.h"
#include "analysis/check/passes/check_parts.h"
#include "analysis/check/passes/vector_parts.h"
#include "compiler/ir/spaces.h"
#include "compiler/ir/threadgroup_variables.h"

namespace msci {
namespace {

using llvm::Value;

// A function-scope array's name as its source has it: "_ZZ4testvE4tile" is "tile".
std::string source_name(const llvm::GlobalVariable& variable) {
  const auto demangled = llvm::demangle(variable.getName());
  const auto at = demangled.rfind("::");
  return at == std::string::npos ? demangled : demangled.substr(at + 2);
}

// Whether anything was put into that part of a vector: three values are stored as four, of which
// the last is nothing.
bool is_something(const Value& vector, unsigned part) {
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&vector)) {
    const auto width = llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType());
    const int from = shuffle->getMaskValue(part);
    if (from < 0) return false;
    const auto lane = static_cast<unsigned>(from);
    return lane < width->getNumElements()
               ? is_something(*shuffle->getOperand(0), lane)
               : is_something(*shuffle->getOperand(1), lane - width->getNumElements());
  }
  if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&vector)) {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    return !index || index->getZExtValue() == part || is_something(*insert->getOperand(0), part);
  }
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&vector);
  const auto* element = constant ? constant->getAggregateElement(part) : nullptr;
  return !element || !llvm::isa<llvm::UndefValue>(element);
}

// The object that a pointer leads into, and where that begins.
struct Origin {
  Value* object = nullptr;
  Value* base = nullptr;
};

// One access of an instruction; memory-to-memory copies have two.
struct Found {
  llvm::Instruction* instruction = nullptr;
  llvm::Use* pointer = nullptr;
  unsigned bytes = 0;
  unsigned align = 1;
  AccessKind kind = AccessKind::read;
};

class KernelChecker {
 public:
  KernelChecker(llvm::Function& kernel, KernelSignature& signature, SourceLocations& locations,
                AccessDetail detail)
      : kernel_(kernel),
        layout_(kernel.getDataLayout()),
        signature_(signature),
        locations_(locations),
        detail_(detail),
        builder_(kernel.getContext()),
        dependence_(kernel) {}

  void run() {
    number_objects();
    may_lock_ = llvm::any_of(llvm::instructions(kernel_), may_take_lock);
    if (llvm::any_of(llvm::instructions(kernel_), is_from_memory) || may_be_null())
      begin_anywhere();
    const auto accesses = find_accesses();
    for (const auto& access : accesses) check(access);
  }

 private:
  // In a kernel that takes locks, other threads may be kept from changing memory between a load and
  // a store, so no store counts as AccessKind::store_back.
  static bool may_take_lock(const llvm::Instruction& instruction) {
    const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
    return llvm::isa<llvm::AtomicCmpXchgInst>(instruction) ||
           (update && update->getOperation() == llvm::AtomicRMWInst::Xchg);
  }

  // ---- objects

  void number_objects() {
    unsigned parameter = 0;
    for (const auto& argument : signature_.arguments) {
      const bool buffer = is_device_memory(argument.kind);
      add_object(*kernel_.getArg(parameter), {.name = argument.name});
      parameter += buffer ? 2 : 1;
    }
    for (auto* variable : threadgroup_variables_of(kernel_))
      add_object(*variable,
                 {.name = source_name(*variable),
                  .bytes = layout_.getTypeAllocSize(variable->getValueType()).getFixedValue()});
  }

  void add_object(Value& base, CheckedObject object) {
    object.granule = 16;
    numbers_[&base] = static_cast<unsigned>(signature_.objects.size());
    signature_.objects.push_back(std::move(object));
  }

  // Whether a pointer to device memory is loaded, and so may lead into any buffer.
  static bool is_from_memory(const Value& value) {
    return llvm::isa<llvm::LoadInst>(value) && value.getType()->isPointerTy() &&
           value.getType()->getPointerAddressSpace() == device_space;
  }

  // Whether a pointer to device memory is null on some way.
  bool may_be_null() {
    return llvm::any_of(llvm::instructions(kernel_), [](const llvm::Instruction& instruction) {
      return llvm::any_of(instruction.operands(), [](const llvm::Use& operand) {
        return llvm::isa<llvm::ConstantPointerNull>(operand.get()) &&
               operand->getType()->getPointerAddressSpace() == device_space &&
               !llvm::isa<llvm::ICmpInst>(operand.getUser());
      });
    });
  }

  void begin_anywhere() {
    signature_.anywhere = CheckedObject{.name = "", .granule = 16};
    builder_.SetInsertPoint(&*kernel_.getEntryBlock().getFirstInsertionPt());
    nowhere_ = find(builder_.getInt64(0));
  }

  // The object is found when the kernel runs.
  Origin find(Value* address) {
    auto* object = call_find(builder_, address);
    return {object, call_base(builder_, object)};
  }

  Origin origin_of_loaded(llvm::Instruction& pointer) {
    builder_.SetInsertPoint(pointer.getNextNode());
    return find(builder_.CreatePtrToInt(&pointer, builder_.getInt64Ty()));
  }

  // Follows a pointer back to its object; none if it comes from something unknown.
  std::optional<Origin> origin(Value* pointer) {
    if (const auto known = origins_.find(pointer); known != origins_.end()) return known->second;
    if (const auto object = numbers_.find(pointer); object != numbers_.end())
      return Origin{builder_.getInt32(object->second), pointer};
    if (auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer))
      return origin(step->getPointerOperand());
    if (nowhere_.object && is_from_memory(*pointer))
      return origins_[pointer] = origin_of_loaded(*llvm::cast<llvm::Instruction>(pointer));
    if (nowhere_.object && llvm::isa<llvm::ConstantPointerNull>(pointer) &&
        pointer->getType()->getPointerAddressSpace() == device_space)
      return nowhere_;
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(pointer)) return origin_of(*choice);
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer)) return origin_of(*phi);
    return std::nullopt;
  }

  std::optional<Origin> origin_of(llvm::SelectInst& choice) {
    const auto a = origin(choice.getTrueValue());
    const auto b = origin(choice.getFalseValue());
    if (!a || !b) return origins_[&choice] = std::nullopt;
    if (a->base == b->base) return origins_[&choice] = a;
    llvm::IRBuilder<> builder(&choice);
    return origins_[&choice] =
               Origin{builder.CreateSelect(choice.getCondition(), a->object, b->object),
                      builder.CreateSelect(choice.getCondition(), a->base, b->base)};
  }

  // A pointer that a loop moves depends on itself, so its origin is known before those of its
  // operands.
  std::optional<Origin> origin_of(llvm::PHINode& phi) {
    llvm::IRBuilder<> builder(&phi);
    auto* object = builder.CreatePHI(builder.getInt32Ty(), phi.getNumIncomingValues());
    auto* base = builder.CreatePHI(phi.getType(), phi.getNumIncomingValues());
    origins_[&phi] = Origin{object, base};
    bool known = true;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const auto from = origin(phi.getIncomingValue(i));
      known = known && from.has_value();
      object->addIncoming(from ? from->object : builder.getInt32(0), phi.getIncomingBlock(i));
      base->addIncoming(from ? from->base : llvm::PoisonValue::get(phi.getType()),
                        phi.getIncomingBlock(i));
    }
    if (!known) origins_[&phi] = std::nullopt;
    return origins_[&phi];
  }

  // All objects that a pointer may lead into.
  void collect_objects(Value* pointer, std::set<Value*>& seen, std::set<CheckedObject*>& objects) {
    if (!seen.insert(pointer).second) return;
    if (is_from_memory(*pointer)) objects.insert(&*signature_.anywhere);
    if (const auto object = numbers_.find(pointer); object != numbers_.end())
      objects.insert(&signature_.objects[object->second]);
    else if (auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer))
      collect_objects(step->getPointerOperand(), seen, objects);
    else if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(pointer))
      for (auto* each : {choice->getTrueValue(), choice->getFalseValue()})
        collect_objects(each, seen, objects);
    else if (auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer))
      for (auto& each : phi->incoming_values()) collect_objects(each, seen, objects);
  }

  // ---- accesses

  std::vector<Found> find_accesses() {
    std::vector<Found> all;
    const auto bytes_of = [&](llvm::Type* type) {
      return static_cast<unsigned>(layout_.getTypeStoreSize(type).getFixedValue());
    };
    for (auto& instruction : llvm::instructions(kernel_)) {
      const auto add = [&](unsigned operand, unsigned bytes, llvm::Align align, AccessKind kind) {
        add_access(all, {&instruction, &instruction.getOperandUse(operand), bytes,
                         static_cast<unsigned>(align.value()), kind});
      };
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        add(0, bytes_of(load->getType()), load->getAlign(),
            load->isAtomic() ? AccessKind::update : AccessKind::read);
      else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        add(1, bytes_of(store->getValueOperand()->getType()), store->getAlign(),
            !store->isAtomic()                              ? AccessKind::write
            : !may_lock_ && dependence_.stores_back(*store) ? AccessKind::store_back
                                                            : AccessKind::atomic_write);
      else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
        add(0, bytes_of(update->getType()), update->getAlign(),
            adds_something(*update) ? AccessKind::add : AccessKind::update);
      else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        add(0, bytes_of(exchange->getCompareOperand()->getType()), exchange->getAlign(),
            AccessKind::update);
      else if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
        add_block(all, *memory);
    }
    return all;
  }

  // Whether the sum is lost if a store comes later.
  static bool adds_something(const llvm::AtomicRMWInst& update) {
    const auto* number = llvm::dyn_cast<llvm::Constant>(update.getValOperand());
    if (number && number->isNullValue()) return false;
    switch (update.getOperation()) {
      case llvm::AtomicRMWInst::Add:
      case llvm::AtomicRMWInst::Sub:
      case llvm::AtomicRMWInst::FAdd:
      case llvm::AtomicRMWInst::FSub:
        return true;
      default:
        return false;
    }
  }

  void add_block(std::vector<Found>& all, llvm::MemIntrinsic& memory) {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(memory.getLength());
    if (!length || length->isZero()) return;
    const auto bytes = static_cast<unsigned>(length->getZExtValue());
    const auto add = [&](llvm::Use& pointer, llvm::MaybeAlign align, AccessKind kind) {
      add_access(
          all, {&memory, &pointer, bytes, static_cast<unsigned>(align.valueOrOne().value()), kind});
    };
    add(memory.getRawDestUse(), memory.getDestAlign(), AccessKind::write);
    if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&memory))
      add(transfer->getRawSourceUse(), transfer->getSourceAlign(), AccessKind::read);
  }

  // The smallest and least aligned access decides how large the granules of an object are.
  void add_access(std::vector<Found>& all, Found found) {
    const auto space = found.pointer->get()->getType()->getPointerAddressSpace();
    if (space != device_space && space != threadgroup_space) return;
    std::set<Value*> seen;
    std::set<CheckedObject*> objects;
    collect_objects(found.pointer->get(), seen, objects);
    const unsigned unit = found.bytes & (~found.bytes + 1);
    for (auto* object : objects) {
      object->granule = std::min({object->granule, unit, std::max(1U, found.align)});
      if (found.kind != AccessKind::read && !is_atomic_load(found)) object->written = true;
      if (found.kind != AccessKind::read && found.kind != AccessKind::write) object->atomic = true;
      if (found.kind == AccessKind::read && !only_merges(found)) object->loaded = true;
      if (found.kind == AccessKind::write) note_store(*object, found);
    }
    all.push_back(found);
  }

  void note_store(CheckedObject& object, const Found& found) {
    if (object.stored_at == 0) object.stored_at = locations_.number_marked(*found.instruction);
    object.scattered = object.scattered || dependence_.decides(*found.pointer->get());
    object.conditional = object.conditional || dependence_.decides_reaching(*found.instruction);
  }

  static bool is_atomic_load(const Found& found) {
    return llvm::isa<llvm::LoadInst>(found.instruction);
  }

  // ---- checks

  void check(const Found& found) {
    auto* pointer = found.pointer->get();
    const auto from = origin(pointer);
    if (!from) return;
    auto* instruction = found.instruction;
    builder_.SetInsertPoint(instruction);
    builder_.SetCurrentDebugLocation(instruction->getDebugLoc());
    const bool is_threadgroup = pointer->getType()->getPointerAddressSpace() == threadgroup_space;
    CheckedAccess access{
        .bytes = found.bytes,
        .align = found.align,
        .object = from->object,
        .wrapped = is_brief() && !is_threadgroup ? nullptr : wrapping_.of(pointer, *instruction),
        .location = locations_.number_marked(*instruction),
        .kind = found.kind,
        .threadgroup = is_threadgroup};
    access.offset = builder_.CreateSub(builder_.CreatePtrToInt(pointer, builder_.getInt64Ty()),
                                       builder_.CreatePtrToInt(from->base, builder_.getInt64Ty()));
    const bool reads = found.kind == AccessKind::read || is_atomic_load(found);
    access.offset =
        reads && !only_merges(found) ? call_read(builder_, access) : reach(found, pointer, access);
    reached_[pointer] = {instruction->getParent(), found.bytes, found.align, access.offset};
    auto* reached = builder_.CreateGEP(builder_.getInt8Ty(), from->base, access.offset);
    found.pointer->set(reached);
    if (reads) return;
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(instruction))
      return note_exchange(*exchange, access);
    // False for an atomic access, where it would stand for an exchange that failed.
    auto* same = is_brief() ? builder_.getFalse() : leaves_unchanged(*instruction, reached);
    call_write(builder_, access, same, stored(*instruction));
  }

  bool is_brief() const { return detail_ == AccessDetail::brief; }

  // An exchange writes only if it succeeds.
  void note_exchange(llvm::AtomicCmpXchgInst& exchange, const CheckedAccess& access) {
    builder_.SetInsertPoint(exchange.getNextNode());
    auto* has_failed = builder_.CreateNot(builder_.CreateExtractValue(&exchange, 1));
    call_write(builder_, access, has_failed, nullptr);
  }

  // Whether a vector is loaded only to store it again with other components changed.
  static bool only_merges(const Found& found) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(found.instruction);
    return load && load->getType()->isVectorTy() && !load->use_empty() && parts_used(*load) == 0;
  }

  // What a plain store writes; null for what is not a number.
  static Value* stored(llvm::Instruction& instruction) {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store || store->isAtomic()) return nullptr;
    auto* value = store->getValueOperand();
    const auto bits = value->getType()->getScalarSizeInBits();
    return bits > 0 && bits <= 64 && !value->getType()->isPtrOrPtrVectorTy() ? value : nullptr;
  }

  // Bounds a store. If the same block has bounded its pointer before, as for `+=`, no call is
  // needed.
  Value* reach(const Found& found, const Value* pointer, const CheckedAccess& access) {
    const auto known = reached_.find(pointer);
    const bool again = known != reached_.end() &&
                       known->second.block == found.instruction->getParent() &&
                       known->second.bytes >= found.bytes && known->second.align >= found.align;
    return again ? known->second.offset : call_reach(builder_, access);
  }

  // Whether a store writes what is there already.
  Value* leaves_unchanged(llvm::Instruction& instruction, Value* reached) {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store || store->isAtomic()) return builder_.getFalse();
    auto* stored = store->getValueOperand();
    auto* before = builder_.CreateAlignedLoad(stored->getType(), reached, store->getAlign());
    if (!stored->getType()->isVectorTy()) return equal_bits(before, stored);
    Value* same = builder_.getTrue();
    const auto* vector = llvm::cast<llvm::FixedVectorType>(stored->getType());
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      if (is_something(*stored, i))
        same = builder_.CreateAnd(same, equal_bits(builder_.CreateExtractElement(before, i),
                                                   builder_.CreateExtractElement(stored, i)));
    return same;
  }

  Value* equal_bits(Value* a, Value* b) {
    if (a->getType()->isPointerTy()) return builder_.getFalse();
    auto* bits = builder_.getIntNTy(a->getType()->getScalarSizeInBits());
    auto* these = builder_.CreateBitCast(a, bits);
    return builder_.CreateICmpEQ(these, builder_.CreateBitCast(b, bits));
  }

  llvm::Function& kernel_;
  const llvm::DataLayout& layout_;
  KernelSignature& signature_;
  SourceLocations& locations_;
  const AccessDetail detail_;
  llvm::IRBuilder<> builder_;
  Wrapping wrapping_;
  DataDependence dependence_;  // of the kernel before the checks
  bool may_lock_ = false;
  Origin nowhere_;  // of the null pointer; only in kernels with pointers from memory
  struct Reached {
    const llvm::BasicBlock* block = nullptr;
    unsigned bytes = 0;
    unsigned align = 1;
    Value* offset = nullptr;
  };
  std::map<const Value*, Reached> reached_;  // by pointer
  std::map<const Value*, unsigned> numbers_;
  std::map<const Value*, std::optional<Origin>> origins_;
};

}  // namespace

void check_accesses(llvm::Module& ir, std::vector<KernelSignature>& kernels,
                    SourceLocations& locations, AccessDetail detail) {
  for (auto& signature : kernels)
    KernelChecker(*ir.getFunction(signature.symbol), signature, locations, detail).run();
}

}  // namespace msci
