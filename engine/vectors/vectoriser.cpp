#include "engine/vectors/vectoriser.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/ErrorHandling.h>

#include <algorithm>

#include "compiler/ir/spaces.h"
#include "engine/isolation/guard_accesses.h"
#include "engine/vectors/specialise.h"
#include "engine/vectors/vector_access.h"

namespace msci::engine {

Vectoriser::Vectoriser(llvm::Function& from, const Variation& variation, const BlockOrder& order,
                       RowShapes& shapes, llvm::Module& to, const VectorOptions& options)
    : from_(from),
      layout_(from.getDataLayout()),
      variation_(variation),
      order_(order),
      shapes_(shapes),
      to_(to),
      options_(options),
      context_(from.getContext()),
      builder_(context_),
      i1_(builder_.getInt1Ty()),
      i8_(builder_.getInt8Ty()),
      i32_(builder_.getInt32Ty()),
      i64_(builder_.getInt64Ty()),
      f32_(builder_.getFloatTy()),
      ptr_(builder_.getPtrTy()) {}

VectorKernel Vectoriser::run() {
  make_function();
  if (options_.with_lines && from_.getSubprogram())
    line_table_ = add_line_table(to_, result_.symbol);
  load_simdgroup();
  place_threadgroup_memory();
  place_private_memory();
  make_places();
  builder_.CreateBr(places_[0].body);
  for (std::size_t i = 0; i < places_.size(); ++i) run_block(i);
  make_checks();
  slots_end_->eraseFromParent();
  promise_what_is_alone();
  make_loop();
  return result_;
}

// ---- types

// Device and threadgroup memory are the host's. A private pointer is an offset in the private
// memory of its lane.
Vectoriser::Type* Vectoriser::mapped(Type* type) const {
  if (!type->isPointerTy()) return type;
  return type->getPointerAddressSpace() == thread_space ? i64_ : ptr_;
}

unsigned Vectoriser::part_count(Type* type) const {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return vector->getNumElements();
  if (const auto* pair = llvm::dyn_cast<llvm::StructType>(type)) return pair->getNumElements();
  return 1;
}

Vectoriser::Type* Vectoriser::part_type(Type* type, unsigned part) const {
  if (auto* pair = llvm::dyn_cast<llvm::StructType>(type))
    return mapped(pair->getElementType(part));
  return mapped(type->getScalarType());
}

// The element type, as wide as the value.
Vectoriser::Type* Vectoriser::like(Value* value, Type* element) const {
  return value->getType()->isVectorTy() ? wide(element) : element;
}

// ---- values

Vectoriser::Scope::~Scope() {
  while (in_.value_log_.size() > values_) {
    in_.values_.erase(in_.value_log_.back());
    in_.value_log_.pop_back();
  }
  while (in_.projection_log_.size() > projections_) {
    in_.projections_.erase(in_.projection_log_.back());
    in_.projection_log_.pop_back();
  }
}

llvm::AllocaInst* Vectoriser::slot(Type* type, const llvm::Twine& name) {
  llvm::IRBuilder<> at(slots_end_);
  return at.CreateAlloca(type, nullptr, name);
}

Vectoriser::Value* Vectoriser::splat(Value* value) {
  return value->getType()->isVectorTy() ? value : builder_.CreateVectorSplat(lane_count, value);
}

Parts Vectoriser::parts(const Value& value, bool as_vectors) {
  auto found = native(value);
  assert((as_vectors || !differs(value)) && "a scalar stands for all lanes");
  if (as_vectors && !differs(value))
    for (auto& part : found) part = splat(part);
  return found;
}

llvm::Value* Vectoriser::one_for_all(const Value& value) {
  return differs(value) ? builder_.CreateExtractElement(vector(value), first_active())
                        : scalar(value);
}

// Scalars if the lanes share the value, otherwise vectors.
Parts Vectoriser::native(const Value& value) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&value))
    return constant_parts(*constant);
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&value))
    return {function_->getArg(argument->getArgNo())};
  if (llvm::isa<llvm::AllocaInst>(value)) return {builder_.getInt64(private_offsets_.at(&value))};
  const auto known = values_.find(&value);
  if (known != values_.end()) return known->second;
  Parts loaded;
  for (auto* slot : slots_.at(&value))
    loaded.push_back(builder_.CreateLoad(slot->getAllocatedType(), slot));
  values_[&value] = loaded;
  value_log_.push_back(&value);
  return loaded;
}

Parts Vectoriser::constant_parts(const llvm::Constant& constant) {
  auto* type = constant.getType();
  Parts parts;
  for (unsigned i = 0; i < part_count(type); ++i) {
    auto* element = part_count(type) == 1 && !type->isVectorTy()
                        ? const_cast<llvm::Constant*>(&constant)
                        : constant.getAggregateElement(i);
    if (llvm::isa<llvm::UndefValue>(element))  // whatever it is, it must not change
      parts.push_back(llvm::Constant::getNullValue(part_type(type, i)));
    else if (element->getType()->isPointerTy())
      parts.push_back(constant_address(*element));
    else
      parts.push_back(constant_number(*element));
  }
  return parts;
}

// A number, which may be computed from the address of a threadgroup array.
Vectoriser::Value* Vectoriser::constant_number(llvm::Constant& constant) {
  auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
  if (!expression) return &constant;
  const auto of = [&](unsigned i) { return expression->getOperand(i); };
  if (expression->getOpcode() == llvm::Instruction::PtrToInt) {
    auto* address = constant_address(*of(0));
    return address->getType()->isPointerTy()
               ? builder_.CreatePtrToInt(address, constant.getType())
               : builder_.CreateZExtOrTrunc(address, constant.getType());
  }
  if (llvm::Instruction::isCast(expression->getOpcode()))
    return builder_.CreateCast(static_cast<llvm::Instruction::CastOps>(expression->getOpcode()),
                               constant_number(*of(0)), constant.getType());
  assert(llvm::Instruction::isBinaryOp(expression->getOpcode()) && "LLVM keeps no others");
  return builder_.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(expression->getOpcode()),
                              constant_number(*of(0)), constant_number(*of(1)));
}

Vectoriser::Value* Vectoriser::constant_address(const llvm::Constant& constant) {
  auto* type = mapped(constant.getType());
  if (constant.isNullValue()) return llvm::Constant::getNullValue(type);
  if (const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
      cast && cast->getOpcode() == llvm::Instruction::IntToPtr)  // the number of a function
    return cast->getOperand(0);
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(&constant)) {
    llvm::APInt offset(64, 0);
    [[maybe_unused]] const bool known = step->accumulateConstantOffset(layout_, offset);
    assert(known && "the lowering refuses other addresses");
    auto* base = constant_address(*llvm::cast<llvm::Constant>(step->getPointerOperand()));
    return builder_.CreateConstGEP1_64(i8_, base, offset.getSExtValue());
  }
  return globals_.at(&constant);
}

// Whether another block may need its value: by itself, to project what is computed from it, or for
// an address that is computed from it.
bool Vectoriser::needs_slot(const llvm::Instruction& instruction) const {
  return llvm::any_of(instruction.uses(), [&](const llvm::Use& use) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (differs(*user) && shapes_.of(*user)) return true;
    if (is_part_of_address_elsewhere(*user, *instruction.getParent())) return true;
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    return (phi ? phi->getIncomingBlock(use) : user->getParent()) != instruction.getParent();
  });
}

// Slots are written for all lanes, without the mask: a lane that uses a value has run its block
// last, since every use outside of a loop goes through a phi.
void Vectoriser::define(const llvm::Instruction& instruction, Parts parts) {
  if (needs_slot(instruction)) {
    auto& slots = slots_[&instruction];
    if (slots.empty())
      for (auto* part : parts) slots.push_back(slot(part->getType(), instruction.getName()));
    for (std::size_t i = 0; i < parts.size(); ++i) builder_.CreateStore(parts[i], slots[i]);
  }
  values_[&instruction] = std::move(parts);
  value_log_.push_back(&instruction);
}

// The value in one lane, active or not, of a value with a row shape: computed from what the lanes
// share as far as possible.
Vectoriser::Value* Vectoriser::projected(const Value& value, unsigned lane) {
  if (!differs(value)) return scalar(value);
  const auto key = std::pair(&value, lane);
  const auto known = projections_.find(key);
  if (known != projections_.end()) return known->second;
  auto* made = project(value, lane);
  projections_[key] = made;
  projection_log_.push_back(key);
  return made;
}

Vectoriser::Value* Vectoriser::project(const Value& value, unsigned lane) {
  const auto of = [&](const Value* operand) { return projected(*operand, lane); };
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&value))
    if (call->getCalledFunction()->getName() == llvm::StringRef(lane_call))
      return builder_.getInt32(lane);
  const bool has_shape = shapes_.of(value).has_value();
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
      call && has_shape && call->getCalledFunction()->getName().starts_with(guard_prefix))
    return guarded(*call, of(call->getArgOperand(0)));
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&value);
      binary && has_shape && !binary->isIntDivRem())
    return builder_.CreateBinOp(binary->getOpcode(), of(binary->getOperand(0)),
                                of(binary->getOperand(1)));
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&value);
      cast && has_shape && cast->getSrcTy()->isIntegerTy())
    return builder_.CreateCast(cast->getOpcode(), of(cast->getOperand(0)), cast->getDestTy());
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&value); compare && has_shape)
    return builder_.CreateICmp(compare->getPredicate(), of(compare->getOperand(0)),
                               of(compare->getOperand(1)));
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&value); select && has_shape)
    return builder_.CreateSelect(of(select->getCondition()), of(select->getTrueValue()),
                                 of(select->getFalseValue()));
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&value);
      address && has_shape && mapped(address->getType())->isPointerTy()) {
    llvm::SmallMapVector<Value*, llvm::APInt, 4> variable;
    llvm::APInt constant(64, 0);
    llvm::cast<llvm::GEPOperator>(address)->collectOffset(layout_, 64, variable, constant);
    Value* offset = builder_.getInt64(constant.getSExtValue());
    for (const auto& [index, scale] : variable)
      offset =
          builder_.CreateAdd(offset, builder_.CreateMul(builder_.CreateSExtOrTrunc(of(index), i64_),
                                                        builder_.getInt64(scale.getSExtValue())));
    return builder_.CreateGEP(i8_, of(address->getPointerOperand()), offset);
  }
  return builder_.CreateExtractElement(vector(value), lane);
}

// ---- masks

Vectoriser::Value* Vectoriser::mask_vector() { return mask_.vector; }

// A select. For masks it is made of bit operations: LLVM 22 makes a shuffle of a select whose
// condition is constant, and its code for x86 then loses constant lanes of a shuffled mask.
Vectoriser::Value* Vectoriser::chosen(Value* condition, Value* yes, Value* no) {
  if (yes->getType() != wide(i1_)) return builder_.CreateSelect(condition, yes, no);
  condition = splat(condition);
  // What a lane does not choose may be poison.
  auto* taken = builder_.CreateAnd(condition, builder_.CreateFreeze(yes));
  auto* left = builder_.CreateAnd(builder_.CreateNot(condition), builder_.CreateFreeze(no));
  return builder_.CreateOr(taken, left);
}

Vectoriser::Value* Vectoriser::bits_of(Value* vector) {
  return builder_.CreateBitCast(vector, i32_);
}

Vectoriser::Value* Vectoriser::lane_numbers(Type* integer) {
  llvm::SmallVector<llvm::Constant*> numbers;
  for (unsigned i = 0; i < lane_count; ++i) numbers.push_back(llvm::ConstantInt::get(integer, i));
  return llvm::ConstantVector::get(numbers);
}

Vectoriser::Value* Vectoriser::first_active() {
  return builder_.CreateIntrinsic(llvm::Intrinsic::cttz, {i32_}, {mask_bits(), builder_.getTrue()});
}

Vectoriser::Value* Vectoriser::all_active() {
  if (mask_.is_full) return builder_.getTrue();
  return builder_.CreateICmpEQ(mask_bits(), builder_.getInt32(~0U));
}

// ---- control flow

llvm::BasicBlock* Vectoriser::new_block(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(context_, name, function_);
}

void Vectoriser::make_places() {
  for (auto* block : order_.blocks()) {
    auto& place = places_.emplace_back();
    place.body = new_block(block->getName());
    if (order_.is_partial(*block)) {
      place.check = new_block(block->getName() + ".check");
      place.waiting = slot(i32_, block->getName() + ".waiting");
      builder_.CreateStore(builder_.getInt32(0), place.waiting);
    }
    for (auto& phi : block->phis())
      for (unsigned i = 0; i < part_count(phi.getType()); ++i) {
        auto* type = part_type(phi.getType(), i);
        auto* in = slot(differs(phi) ? wide(type) : type, phi.getName() + ".in");
        builder_.CreateStore(llvm::Constant::getNullValue(in->getAllocatedType()), in);
        phi_slots_[&phi].push_back(in);
      }
    // Loops lead back, so slots exist before the blocks that fill them are made.
    for (auto& instruction : *block) {
      if (instruction.getType()->isVoidTy() || llvm::isa<llvm::AllocaInst>(instruction)) continue;
      if (!needs_slot(instruction)) continue;
      for (unsigned i = 0; i < part_count(instruction.getType()); ++i) {
        auto* type = part_type(instruction.getType(), i);
        auto* kept = slot(differs(instruction) ? wide(type) : type, instruction.getName());
        // Not what another simdgroup left there.
        builder_.CreateStore(llvm::PoisonValue::get(kept->getAllocatedType()), kept);
        slots_[&instruction].push_back(kept);
      }
    }
  }
}

void Vectoriser::begin_body(std::size_t index) {
  const auto& place = places_[index];
  builder_.SetInsertPoint(place.body);
  values_.clear();
  value_log_.clear();
  projections_.clear();
  projection_log_.clear();
  checked_rows_.clear();
  mask_ = existing_;
  keeps_private_ = llvm::any_of(order_.waiting_after(index),
                                [&](std::size_t waiting) { return reads_private_later_[waiting]; });
  if (!place.waiting) return;
  auto* bits = builder_.CreateLoad(i32_, place.waiting);
  builder_.CreateStore(builder_.getInt32(0), place.waiting);
  mask_ = {bits, builder_.CreateBitCast(bits, wide(i1_)), false};
}

void Vectoriser::run_block(std::size_t index) {
  auto& block = *order_.blocks()[index];
  begin_body(index);
  for (auto& phi : block.phis()) {
    Parts parts;
    for (auto* slot : phi_slots_.at(&phi))
      parts.push_back(builder_.CreateLoad(slot->getAllocatedType(), slot));
    define(phi, std::move(parts));
  }
  for (auto& instruction : block)
    if (!llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) && !instruction.isTerminator()) {
      builder_.SetCurrentDebugLocation(line_of(instruction));
      visit(instruction);
    }
  builder_.SetCurrentDebugLocation(line_of(*block.getTerminator()));
  leave(index);
  builder_.SetCurrentDebugLocation({});
}

llvm::DebugLoc Vectoriser::line_of(const llvm::Instruction& instruction) const {
  const auto& at = instruction.getDebugLoc();
  if (!line_table_ || !at) return {};
  return llvm::DILocation::get(context_, at.getLine(), at.getCol(), line_table_);
}

// Where control enters a block. `certain`: at least one lane is known to wait there.
llvm::BasicBlock* Vectoriser::entry_of(std::size_t index, bool certain) {
  const auto& place = places_[index];
  return place.check && !certain ? place.check : place.body;
}

void Vectoriser::leave(std::size_t index) {
  auto& block = *order_.blocks()[index];
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  const bool is_partial = order_.is_partial(block);
  if (!branch) {
    if (!is_partial)
      builder_.CreateRetVoid();
    else
      go_to_first(index, {});
    return;
  }
  if (branch->isConditional() && differs(*branch->getCondition()))
    return leave_apart(index, *branch);

  std::vector<llvm::BasicBlock*> edges(branch->getNumSuccessors(), nullptr);
  if (branch->isConditional()) {
    for (auto& edge : edges) edge = new_block(block.getName() + ".edge");
    builder_.CreateCondBr(scalar(*branch->getCondition()), edges[0], edges[1]);
  }
  for (unsigned i = 0; i < edges.size(); ++i) {
    if (edges[i]) builder_.SetInsertPoint(edges[i]);
    const Scope scope(*this);
    const auto& successor = *branch->getSuccessor(i);
    const auto to = order_.index(successor);
    arrive(block, successor, mask_);
    if (!is_partial || to <= index)
      builder_.CreateBr(entry_of(to, /*certain=*/true));
    else
      go_to_first(index, {to});
  }
}

// A branch whose lanes part: they wait at both successors.
void Vectoriser::leave_apart(std::size_t index, llvm::BranchInst& branch) {
  auto& block = *branch.getParent();
  auto* condition = vector(*branch.getCondition());
  std::vector<std::size_t> ahead;
  std::optional<std::size_t> back;
  for (unsigned i = 0; i < 2; ++i) {
    auto* taken = i == 0 ? condition : builder_.CreateNot(condition);
    // Not `and`: what a lane that does not run computes may be poison.
    auto* lanes = active_or(taken, llvm::ConstantInt::getFalse(wide(i1_)));
    const auto& successor = *branch.getSuccessor(i);
    arrive(block, successor, {bits_of(lanes), lanes, false});
    const auto to = order_.index(successor);
    if (to <= index)
      back = to;
    else
      ahead.push_back(to);
  }
  if (back) {
    auto* waiting = builder_.CreateLoad(i32_, places_[*back].waiting);
    auto* onward = new_block(block.getName() + ".onward");
    builder_.CreateCondBr(builder_.CreateIsNotNull(waiting), places_[*back].body, onward);
    builder_.SetInsertPoint(onward);
  }
  go_to_first(index, ahead);
}

// Lanes go to a block: its phis take their values, and they wait there.
void Vectoriser::arrive(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                        const Mask& lanes) {
  // Only lanes that wait there already need what the phis hold.
  const bool is_first = !order_.may_join(from, to);
  for (const auto& phi : to.phis()) {
    const auto parts = this->parts(*phi.getIncomingValueForBlock(&from), differs(phi));
    // A value with a row shape keeps it in lanes that do not run.
    const bool for_all = is_first || !differs(phi) || shapes_.of(phi);
    const auto& slots = phi_slots_.at(&phi);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      auto* value = parts[i];
      if (!for_all) {
        auto* old = builder_.CreateLoad(value->getType(), slots[i]);
        value = chosen(lanes.vector, value, old);
      }
      builder_.CreateStore(value, slots[i]);
    }
  }
  if (auto* waiting = places_[order_.index(to)].waiting) {
    auto* already = builder_.CreateLoad(i32_, waiting);
    builder_.CreateStore(builder_.CreateOr(already, lanes.bits), waiting);
  }
}

// Control goes on to the first block where lanes can wait: at those of `also` for certain if there
// is one of them only.
void Vectoriser::go_to_first(std::size_t after, const std::vector<std::size_t>& also) {
  const auto& waiting = order_.waiting_after(after);
  std::optional<std::size_t> first;
  if (!waiting.empty()) first = waiting.front();
  for (const auto each : also) first = first ? std::min(*first, each) : each;
  if (!first) {
    builder_.CreateRetVoid();
    return;
  }
  const bool certain = also.size() == 1 && also[0] == *first;
  builder_.CreateBr(entry_of(*first, certain && !variation_.parts(*order_.blocks()[after])));
}

void Vectoriser::make_checks() {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto& place = places_[i];
    if (!place.check) continue;
    builder_.SetInsertPoint(place.check);
    auto* waiting = builder_.CreateLoad(i32_, place.waiting);
    auto* onward = new_block("onward");
    builder_.CreateCondBr(builder_.CreateIsNotNull(waiting), place.body, onward);
    builder_.SetInsertPoint(onward);
    go_to_first(i, {});
  }
}

}  // namespace msci::engine
