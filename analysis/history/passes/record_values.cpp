#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analysis/history/record_layout.h"
#include "analysis/history/recorded_kernel.h"
#include "base/json.h"
#include "base/process/isolated_result.h"
#include "compiler/ir/lane_functions.h"
#include "compiler/ir/spaces.h"
#include "tasks/plan/translation_json.h"

namespace msci::history {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Node::Operand, node, bits, is_previous)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Node, kind, line, bits, is_real, object, byte, loop,
                                   stores_ahead, operands)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Object, kind, argument)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Loop, outer, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedKernel, translation, binding, nodes, objects, loops)

namespace {

using llvm::Instruction;
using llvm::Value;

constexpr std::size_t most_nodes = 1U << record_node_bits;

// A buffer takes two parameters of a kernel: the pointer and the byte offset.
constexpr unsigned parameters_of_buffer = 2;

unsigned components_of(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector ? vector->getNumElements() : 1;
}

// Whether its values, or those of its components, fit into a record.
bool is_recordable(const llvm::Type& type) {
  if (llvm::isa<llvm::ScalableVectorType>(type)) return false;
  const auto* scalar = type.getScalarType();
  return (scalar->isIntegerTy() || scalar->isFloatingPointTy()) &&
         scalar->getPrimitiveSizeInBits() <= 64;
}

std::uint64_t bits_of(const llvm::Constant& constant) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&constant))
    return number->getValue().zextOrTrunc(64).getZExtValue();
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant))
    return number->getValueAPF().bitcastToAPInt().zextOrTrunc(64).getZExtValue();
  return 0;
}

const llvm::Value* pointer_of_access(const Instruction& instruction) {
  if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return atomic->getPointerOperand();
  if (const auto* atomic = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return atomic->getPointerOperand();
  return llvm::getLoadStorePointerOperand(&instruction);
}

// One component of a value.
struct Part {
  const Value* value = nullptr;
  unsigned component = 0;
  auto operator<=>(const Part&) const = default;
};

// Where a component comes from, past instructions that only move components.
Part source_of(Part part) {
  for (;;) {
    if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(part.value)) {
      const auto* index = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
      if (!index) return part;
      const bool is_it = index->equalsInt(part.component);
      part = is_it ? Part{insert->getOperand(1), 0} : Part{insert->getOperand(0), part.component};
    } else if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(part.value)) {
      const auto from = shuffle->getMaskValue(part.component);
      if (from < 0) return part;
      const auto width = components_of(*shuffle->getOperand(0)->getType());
      const auto at = static_cast<unsigned>(from);
      part = {shuffle->getOperand(at < width ? 0 : 1), at < width ? at : at - width};
    } else if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(part.value)) {
      const auto* index = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
      if (!index) return part;
      part = {extract->getVectorOperand(), static_cast<unsigned>(index->getZExtValue())};
    } else if (const auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(part.value)) {
      part.value = freeze->getOperand(0);
    } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(part.value);
               phi && phi->getNumIncomingValues() == 1) {
      part.value = phi->getIncomingValue(0);
    } else {
      return part;
    }
  }
}

// Inserts the records into one kernel.
class Recorder {
 public:
  Recorder(llvm::Function& kernel, const KernelSignature& signature, Recorded recorded)
      : kernel_(kernel),
        signature_(signature),
        recorded_(recorded),
        builder_(kernel.getContext()),
        dominators_(kernel),
        loops_(dominators_) {}

  // False if there are too many values.
  bool run(RecordedKernel& result) {
    find_needed();
    for (auto& instruction : llvm::instructions(kernel_)) number(instruction);
    if (nodes_.size() >= most_nodes) return false;
    for (const auto& [part, node] : numbers_) fill(part, node);
    for (auto& block : kernel_) mark(block);
    prepare_entry();
    for (const auto& each : marks_) insert(each);
    result.nodes = std::move(nodes_);
    result.objects = std::move(objects_);
    result.loops = std::move(found_loops_);
    return true;
  }

 private:
  // What to record before an instruction: of each node, the value.
  struct Mark {
    Instruction* before;
    std::vector<std::pair<std::size_t, Part>> values;
  };

  // ---- what is recorded

  bool records_all() const { return recorded_ == Recorded::everything; }

  bool is_store_to_buffer(const Instruction& instruction) const {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    return store && store->getPointerAddressSpace() == device_space;
  }

  // All that stores and conditions depend on, but not addresses.
  void find_needed() {
    if (!records_all()) return;
    const auto need = [&](const Value* value) {
      if (const auto* instruction = llvm::dyn_cast<Instruction>(value)) needed_.insert(instruction);
    };
    for (const auto& instruction : llvm::instructions(kernel_)) {
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        need(store->getValueOperand());
      if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
        if (branch->isConditional()) need(branch->getCondition());
    }
    for (std::size_t i = 0; i < needed_.size(); ++i)
      if (!pointer_of_access(*needed_[i]))
        for (const auto& operand : needed_[i]->operands()) need(operand.get());
  }

  bool is_recorded(const Instruction& instruction) const {
    return needed_.contains(&instruction) && is_recordable(*instruction.getType());
  }

  // ---- nodes

  std::size_t add(Node node, const Instruction& instruction) {
    if (const auto& at = instruction.getDebugLoc()) node.line = at.getLine();
    node.loop = loop_of(loops_.getLoopFor(instruction.getParent()));
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  int loop_of(const llvm::Loop* loop) {
    if (!loop) return -1;
    if (const auto known = loop_numbers_.find(loop); known != loop_numbers_.end())
      return known->second;
    Loop made{.outer = loop_of(loop->getParentLoop())};
    llvm::SmallVector<llvm::BasicBlock*> exiting;
    loop->getExitingBlocks(exiting);
    for (const auto* block : exiting)
      if (const auto& at = block->getTerminator()->getDebugLoc()) made.line = at.getLine();
    found_loops_.push_back(made);
    return loop_numbers_[loop] = static_cast<int>(found_loops_.size() - 1);
  }

  void number(const Instruction& instruction) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
    if (branch && branch->isConditional() && records_all()) {
      branches_[branch] = add({.kind = Node::Kind::branch, .bits = 1}, instruction);
      return;
    }
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (store && !records_all() && !is_store_to_buffer(*store)) return;
    if (!store && !is_recorded(instruction)) return;
    const auto* pointer = pointer_of_access(instruction);
    if (store && !is_recordable(*store->getValueOperand()->getType())) return;
    if (pointer)
      addresses_[&instruction] =
          add({.kind = Node::Kind::address, .object = object_of(*pointer)}, instruction);
    const Value& value = store ? *store->getValueOperand() : static_cast<const Value&>(instruction);
    if (moves_components(instruction)) return;
    for (unsigned i = 0; i < components_of(*value.getType()); ++i) {
      const auto* scalar = value.getType()->getScalarType();
      numbers_[{&instruction, i}] =
          add({.kind = kind_of(instruction),
               .bits = static_cast<unsigned>(scalar->getPrimitiveSizeInBits().getFixedValue()),
               .is_real = scalar->isFloatingPointTy()},
              instruction);
    }
  }

  // Whether source_of() sees through it.
  static bool moves_components(const Instruction& instruction) {
    return source_of({&instruction, 0}).value != &instruction &&
           !llvm::isa<llvm::StoreInst>(instruction);
  }

  static Node::Kind kind_of(const Instruction& instruction) {
    if (llvm::isa<llvm::StoreInst>(instruction)) return Node::Kind::store;
    if (llvm::isa<llvm::LoadInst>(instruction)) return Node::Kind::load;
    if (instruction.isAtomic()) return Node::Kind::atomic;
    if (llvm::isa<llvm::PHINode, llvm::SelectInst>(instruction)) return Node::Kind::chosen;
    return exchanges_values(instruction) ? Node::Kind::lanes : Node::Kind::value;
  }

  unsigned object_of(const Value& pointer) {
    const auto* base = llvm::getUnderlyingObject(&pointer, 0);
    const auto known = object_numbers_.find(base);
    if (known != object_numbers_.end()) return known->second;
    Object object;
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(base)) {
      unsigned first = 0;
      for (unsigned i = 0; i < signature_.arguments.size(); ++i) {
        const bool is_threadgroup = signature_.arguments[i].kind == ArgumentKind::threadgroup;
        if (first == argument->getArgNo())
          object = {is_threadgroup ? Object::Kind::threadgroup : Object::Kind::buffer, i};
        first += is_threadgroup ? 1 : parameters_of_buffer;
      }
    } else if (llvm::isa<llvm::AllocaInst>(base)) {
      object.kind = Object::Kind::thread;
    } else if (llvm::isa<llvm::GlobalVariable>(base)) {
      object.kind = Object::Kind::threadgroup;
    }
    objects_.push_back(object);
    bases_.push_back(base);
    return object_numbers_[base] = static_cast<unsigned>(objects_.size() - 1);
  }

  // ---- operands of nodes

  Node::Operand operand(const Value* value, unsigned component) const {
    const auto source = source_of({value, component});
    const auto known = numbers_.find(source);
    if (known != numbers_.end()) return {.node = static_cast<std::int64_t>(known->second)};
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(source.value)) {
      const auto* element = constant->getType()->isVectorTy()
                                ? constant->getAggregateElement(source.component)
                                : constant;
      if (element &&
          llvm::isa<llvm::ConstantInt, llvm::ConstantFP, llvm::ConstantAggregateZero>(element))
        return {.node = Node::Operand::constant, .bits = bits_of(*element)};
    }
    return {};
  }

  void fill(const Part& part, std::size_t node) {
    const auto& instruction = *llvm::cast<Instruction>(part.value);
    if (const auto found = addresses_.find(&instruction); found != addresses_.end()) {
      nodes_[node].operands = {{.node = static_cast<std::int64_t>(found->second)}};
      nodes_[node].object = nodes_[found->second].object;
      nodes_[node].byte = part.component * nodes_[node].bits / 8;
    }
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      nodes_[node].operands.push_back(operand(store->getValueOperand(), part.component));
    else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      fill_phi(*phi, part.component, nodes_[node]);
    else if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction))
      nodes_[node].operands = {operand(choice->getTrueValue(), part.component),
                               operand(choice->getFalseValue(), part.component),
                               operand(choice->getCondition(), part.component)};
    else if (!pointer_of_access(instruction))
      fill_operation(instruction, part.component, nodes_[node]);
  }

  // All phis of a block change together.
  void fill_phi(const llvm::PHINode& phi, unsigned component, Node& node) const {
    for (const auto& incoming : phi.incoming_values()) {
      auto from = operand(incoming.get(), component);
      const auto* other =
          llvm::dyn_cast<llvm::PHINode>(source_of({incoming.get(), component}).value);
      from.is_previous = other && other->getParent() == phi.getParent() &&
                         (other == &phi || other->comesBefore(&phi));
      node.operands.push_back(from);
    }
  }

  // Component by component where the types say so; otherwise all components.
  void fill_operation(const Instruction& instruction, unsigned component, Node& node) const {
    const auto width = components_of(*instruction.getType());
    for (const auto& use : instruction.operands()) {
      if (llvm::isa<llvm::Function, llvm::BasicBlock>(use.get())) continue;
      const auto parts = components_of(*use->getType());
      if (parts == width || parts == 1) {
        node.operands.push_back(operand(use.get(), parts == 1 ? 0 : component));
        continue;
      }
      for (unsigned i = 0; i < parts; ++i) node.operands.push_back(operand(use.get(), i));
    }
  }

  // ---- branches

  std::vector<unsigned> stores_from(const llvm::BasicBlock& first) {
    llvm::SetVector<const llvm::BasicBlock*> blocks;
    blocks.insert(&first);
    std::set<unsigned> objects;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (const auto& instruction : *blocks[i])
        if (is_store_to_buffer(instruction))
          objects.insert(object_of(*pointer_of_access(instruction)));
      for (const auto* next : llvm::successors(blocks[i])) blocks.insert(next);
    }
    return {objects.begin(), objects.end()};
  }

  void fill_branch(const llvm::BranchInst& branch) {
    auto& node = nodes_[branches_.at(&branch)];
    node.operands = {operand(branch.getCondition(), 0)};
    for (unsigned i = 0; i < 2; ++i) {
      auto ahead = stores_from(*branch.getSuccessor(i));
      nodes_[branches_.at(&branch)].stores_ahead.push_back(std::move(ahead));
    }
  }

  // ---- records

  // Values are recorded together at the end of their block, or where other threads may see or
  // change something.
  void mark(llvm::BasicBlock& block) {
    std::vector<std::pair<std::size_t, Part>> values;
    const auto flush = [&](Instruction& before) {
      if (!values.empty()) marks_.push_back({&before, std::move(values)});
      values.clear();
    };
    for (auto& instruction : block) {
      if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
          branch && branches_.contains(branch)) {
        fill_branch(*branch);
        values.push_back({branches_.at(branch), {branch->getCondition(), 0}});
      }
      const bool is_seen_outside =
          llvm::isa<llvm::CallInst>(instruction) &&
          (called_lane_function(instruction) || instruction.mayHaveSideEffects());
      if (instruction.isTerminator() || is_seen_outside) flush(instruction);
      if (const auto found = addresses_.find(&instruction); found != addresses_.end())
        values.push_back({found->second, {pointer_of_access(instruction), 0}});
      for (unsigned i = 0; i < 16; ++i)
        if (const auto found = numbers_.find({&instruction, i}); found != numbers_.end())
          values.push_back({found->second, found->first});
    }
  }

  // Afterwards the kernel knows the buffer and the thread, and other threadgroups end at once.
  void prepare_entry() {
    auto* start = &*kernel_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    builder_.SetInsertPoint(start);
    const auto parameter = kernel_.arg_size() - launch_parameters - parameters_of_buffer;
    buffer_ = byte(kernel_.getArg(parameter), kernel_.getArg(parameter + 1));
    const auto first = kernel_.arg_size() - launch_parameters;
    Value *thread = builder_.getInt64(0), *group = builder_.getInt64(0);
    Value* is_wanted = builder_.getTrue();
    for (unsigned d = 3; d-- > 0;) {
      auto* size = builder_.CreateZExt(kernel_.getArg(first + 3 + d), builder_.getInt64Ty());
      auto* grid = builder_.CreateZExt(kernel_.getArg(first + d), builder_.getInt64Ty());
      auto* groups = builder_.CreateUDiv(
          builder_.CreateAdd(grid, builder_.CreateSub(size, builder_.getInt64(1))), size);
      auto* at = builder_.CreateAdd(builder_.CreateUDiv(work_item("get_global_offset", d), size),
                                    work_item("get_group_id", d));
      thread = builder_.CreateAdd(builder_.CreateMul(thread, work_item("get_local_size", d)),
                                  work_item("get_local_id", d));
      group = builder_.CreateAdd(builder_.CreateMul(group, groups), at);
      auto* wanted = builder_.CreateLoad(
          builder_.getInt32Ty(), byte(buffer_, builder_.getInt64(byte_of_threadgroup + 4 * d)));
      is_wanted = builder_.CreateAnd(
          is_wanted,
          builder_.CreateICmpEQ(builder_.CreateTrunc(at, builder_.getInt32Ty()), wanted));
    }
    who_ = builder_.CreateOr(builder_.CreateShl(thread, record_node_bits),
                             builder_.CreateShl(group, record_node_bits + record_thread_bits));
    room_ =
        builder_.CreateLoad(builder_.getInt32Ty(), byte(buffer_, builder_.getInt64(byte_of_room)));
    if (records_all()) leave_unless(is_wanted, *start);
  }

  void leave_unless(Value* is_wanted, Instruction& start) {
    auto* rest = start.getParent()->splitBasicBlock(&start);
    auto* left = llvm::BasicBlock::Create(kernel_.getContext(), "", &kernel_);
    llvm::ReturnInst::Create(kernel_.getContext(), left);
    auto* old = rest->getSinglePredecessor()->getTerminator();
    builder_.SetInsertPoint(old);
    builder_.CreateCondBr(is_wanted, rest, left);
    old->eraseFromParent();
  }

  Value* work_item(const char* name, unsigned dimension) {
    auto function = kernel_.getParent()->getOrInsertFunction(name, builder_.getInt64Ty(),
                                                             builder_.getInt32Ty());
    auto* callee = llvm::cast<llvm::Function>(function.getCallee());
    callee->setDoesNotAccessMemory();
    callee->setDoesNotThrow();
    callee->setWillReturn();
    return builder_.CreateCall(function, builder_.getInt32(dimension));
  }

  Value* byte(Value* pointer, Value* at) {
    return builder_.CreateGEP(builder_.getInt8Ty(), pointer, at);
  }

  // The records of a mark lie behind each other. What finds no room goes behind it.
  void insert(const Mark& mark) {
    builder_.SetInsertPoint(mark.before);
    builder_.SetCurrentDebugLocation({});
    const auto count = static_cast<unsigned>(mark.values.size());
    auto* first = builder_.CreateAtomicRMW(
        llvm::AtomicRMWInst::Add, byte(buffer_, builder_.getInt64(byte_of_count)),
        builder_.getInt32(count), llvm::Align(4), llvm::AtomicOrdering::Monotonic);
    auto* number = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, first, room_);
    auto* offset = builder_.CreateMul(builder_.CreateZExt(number, builder_.getInt64Ty()),
                                      builder_.getInt64(record_bytes));
    auto* at = byte(buffer_, builder_.CreateAdd(offset, builder_.getInt64(byte_of_records)));
    for (unsigned i = 0; i < count; ++i) {
      const auto& [node, part] = mark.values[i];
      store(builder_.CreateOr(who_, builder_.getInt64(node)), at, i * record_bytes);
      store(word_of(node, part), at, i * record_bytes + sizeof(std::uint64_t));
    }
  }

  void store(Value* word, Value* record, unsigned offset) {
    builder_.CreateAlignedStore(word, byte(record, builder_.getInt64(offset)), llvm::Align(8));
  }

  Value* word_of(std::size_t node, const Part& part) {
    auto* value = const_cast<Value*>(part.value);
    const auto kind = nodes_[node].kind;
    if (kind == Node::Kind::address) return offset_of(*value, nodes_[node].object);
    if (kind == Node::Kind::store) value = llvm::cast<llvm::StoreInst>(value)->getValueOperand();
    if (kind != Node::Kind::chosen) return word_of(component(value, part.component));
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value)) return incoming_number(*phi);
    auto* condition =
        component(llvm::cast<llvm::SelectInst>(value)->getCondition(), part.component);
    return builder_.CreateSelect(condition, builder_.getInt64(0), builder_.getInt64(1));
  }

  Value* component(Value* value, unsigned number) {
    return value->getType()->isVectorTy() ? builder_.CreateExtractElement(value, number) : value;
  }

  Value* word_of(Value* scalar) {
    const auto bits = static_cast<unsigned>(scalar->getType()->getPrimitiveSizeInBits());
    auto* integer = builder_.CreateBitCast(scalar, builder_.getIntNTy(bits));
    return builder_.CreateZExtOrTrunc(integer, builder_.getInt64Ty());
  }

  // Pointers of one address space only are subtracted.
  Value* offset_of(Value& pointer, unsigned object) {
    auto* base = const_cast<Value*>(bases_[object]);
    auto* at = builder_.CreatePtrToInt(&pointer, builder_.getInt64Ty());
    if (pointer.getType() != base->getType()) return at;
    auto* bytes = builder_.CreateSub(at, builder_.CreatePtrToInt(base, builder_.getInt64Ty()));
    if (objects_[object].kind != Object::Kind::buffer) return bytes;
    return builder_.CreateSub(bytes,
                              kernel_.getArg(llvm::cast<llvm::Argument>(base)->getArgNo() + 1));
  }

  Value* incoming_number(llvm::PHINode& phi) {
    auto& known = incoming_[phi.getParent()];
    if (known) return known;
    auto* number = llvm::PHINode::Create(builder_.getInt64Ty(), phi.getNumIncomingValues(), "",
                                         phi.getParent()->begin());
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      number->addIncoming(builder_.getInt64(i), phi.getIncomingBlock(i));
    return known = number;
  }

  llvm::Function& kernel_;
  const KernelSignature& signature_;
  const Recorded recorded_;
  llvm::IRBuilder<> builder_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::SetVector<const Instruction*> needed_;
  std::map<Part, std::size_t> numbers_;  // of instructions
  std::map<const Value*, std::size_t> addresses_, branches_;
  std::map<const Value*, unsigned> object_numbers_;
  std::vector<const Value*> bases_;  // of objects
  std::vector<Node> nodes_;
  std::vector<Object> objects_;
  std::vector<Loop> found_loops_;
  std::map<const llvm::Loop*, int> loop_numbers_;
  std::vector<Mark> marks_;
  std::map<const llvm::BasicBlock*, llvm::PHINode*> incoming_;
  Value *buffer_ = nullptr, *who_ = nullptr, *room_ = nullptr;
};

// ---- the module

// The kernel with one more buffer behind its arguments.
llvm::Function& with_buffer(llvm::Function& old) {
  auto& context = old.getContext();
  const auto place = old.arg_size() - launch_parameters;
  std::vector<llvm::Type*> types;
  std::vector<llvm::AttributeSet> attributes;
  const auto add_buffer = [&] {
    types.push_back(llvm::PointerType::get(context, device_space));
    types.push_back(llvm::Type::getInt64Ty(context));
    attributes.resize(attributes.size() + parameters_of_buffer);
  };
  for (const auto& argument : old.args()) {
    if (argument.getArgNo() == place) add_buffer();
    types.push_back(argument.getType());
    // Records have addresses.
    attributes.push_back(old.getAttributes()
                             .getParamAttrs(argument.getArgNo())
                             .removeAttribute(context, llvm::Attribute::Captures));
  }
  auto* type = llvm::FunctionType::get(old.getReturnType(), types, false);
  auto* made =
      llvm::Function::Create(type, old.getLinkage(), old.getAddressSpace(), "", old.getParent());
  made->takeName(&old);
  made->setCallingConv(old.getCallingConv());
  made->setAttributes(llvm::AttributeList::get(context, old.getAttributes().getFnAttrs(),
                                               old.getAttributes().getRetAttrs(), attributes));
  made->removeFnAttr(llvm::Attribute::Memory);
  made->copyMetadata(&old, 0);
  made->splice(made->begin(), &old);
  for (auto& argument : old.args()) {
    const auto number = argument.getArgNo();
    argument.replaceAllUsesWith(
        made->getArg(number < place ? number : number + parameters_of_buffer));
  }
  old.eraseFromParent();
  return *made;
}

// The highest binding that the kernel leaves free; none without one.
std::optional<unsigned> free_binding(const KernelSignature& kernel) {
  constexpr unsigned bindings = 31;
  for (unsigned index = bindings; index-- > 0;)
    if (std::ranges::none_of(kernel.arguments, [&](const KernelArgument& argument) {
          return argument.kind == ArgumentKind::buffer && argument.index == index;
        }))
      return index;
  return std::nullopt;
}

Result<RecordedKernel> record(const Translation& translation, const std::string& name,
                              Recorded recorded) {
  const auto* signature = translation.find(name);
  const auto binding = signature ? free_binding(*signature) : std::nullopt;
  if (!binding) return Error{"the kernel has no binding left"};
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto ir = llvm::parseIR(llvm::MemoryBufferRef(translation.ir, "kernels"), problem, context);
  auto* found = ir ? ir->getFunction(signature->symbol) : nullptr;
  if (!found) return Error{"the translated kernel cannot be read"};
  auto& kernel = with_buffer(*found);
  RecordedKernel result{.translation = {.source_name = translation.source_name},
                        .binding = *binding};
  if (!Recorder(kernel, *signature, recorded).run(result))
    return Error{"the kernel computes too many values"};
  llvm::StripDebugInfo(*ir);
  std::string invalid;
  llvm::raw_string_ostream problems(invalid);
  if (llvm::verifyModule(*ir, &problems)) return Error{"records were inserted wrongly: " + invalid};
  auto made = *signature;
  made.arguments.push_back({.index = *binding, .name = "records", .type = "uint"});
  result.translation.kernels = {std::move(made)};
  result.translation.tables = translation.tables;
  llvm::raw_string_ostream stream(result.translation.ir);
  llvm::WriteBitcodeToFile(*ir, stream);
  return result;
}

}  // namespace

Result<RecordedKernel> record_values(const Translation& translation, const std::string& kernel,
                                     Recorded recorded) {
  constexpr Limits limits{.seconds = 5};
  return run_isolated_for<RecordedKernel>([&] { return record(translation, kernel, recorded); },
                                          limits, {"msci could not record the kernel's values"});
}

}  // namespace msci::history
