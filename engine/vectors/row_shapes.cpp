#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include <bit>

#include "compiler/ir/spaces.h"
#include "engine/isolation/guard_accesses.h"
#include "engine/vectors/specialise.h"
#include "engine/vectors/vectoriser.h"

namespace msci::engine {
namespace {

bool is_lane(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName() == llvm::StringRef(lane_call);
}

std::optional<RowShape> joined_shape(std::optional<RowShape> a, std::optional<RowShape> b,
                                     int sign) {
  if (!a || !b) return std::nullopt;
  return RowShape{std::min(a->lanes, b->lanes), a->step + sign * b->step,
                  a->may_wrap || b->may_wrap, a->may_break || b->may_break,
                  a->is_tested || b->is_tested};
}

// What arithmetic makes of a shape: only a step of 0 cannot cross the end of the type.
std::optional<RowShape> wrapping(std::optional<RowShape> shape) {
  if (shape && shape->step != 0) shape->may_wrap = true;
  return shape;
}

std::optional<RowShape> extended(std::optional<RowShape> shape) {
  if (shape && shape->step != 0 && shape->may_wrap) shape->may_break = true;
  if (shape) shape->may_wrap = false;
  return shape;
}

// The same in all lanes of a row, whatever is computed from them.
std::optional<RowShape> of_operation_within_rows(std::optional<RowShape> a,
                                                 std::optional<RowShape> b) {
  if (!a || !b || a->step != 0 || b->step != 0) return std::nullopt;
  if (a->is_tested || b->is_tested) return std::nullopt;
  return joined_shape(a, b, 1);
}

std::optional<RowShape> scaled(std::optional<RowShape> shape, std::int64_t by) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  if (!shape || std::abs(shape->step) > most || std::abs(by) > most) return std::nullopt;
  shape->step *= by;
  return shape;
}

// Bits of the lane's number: those below a power of two count within rows, those above are the
// row's.
std::optional<RowShape> of_masked_lane(std::uint64_t mask) {
  mask &= lane_count - 1;
  if (mask == lane_count - 1) return RowShape{lane_count, 1};
  if (std::has_single_bit(mask + 1)) return RowShape{static_cast<unsigned>(mask + 1), 1};
  const auto below = mask == 0 ? lane_count : 1U << std::countr_zero(mask);
  return RowShape{below, 0};
}

}  // namespace

RowShapes::RowShapes(llvm::Function& kernel, const Variation& variation) : variation_(variation) {
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  for (const auto* loop : loops.getLoopsInPreorder())
    if (loop->getLoopPreheader() && loop->getLoopLatch())
      for (const auto& phi : loop->getHeader()->phis()) heads_[&phi] = false;
}

std::optional<RowShape> RowShapes::of(const llvm::Value& value) {
  if (!value.getType()->isIntegerTy() && !value.getType()->isPointerTy()) return std::nullopt;
  if (!variation_.differs(value)) return RowShape{};
  const auto known = known_.find(&value);
  if (known != known_.end()) return known->second;
  const auto found = find(value);
  learn(value, found);
  return found;
}

void RowShapes::learn(const llvm::Value& value, std::optional<RowShape> shape) {
  known_[&value] = shape;
  learnt_.push_back(&value);
}

void RowShapes::forget_since(std::size_t count) {
  for (; learnt_.size() > count; learnt_.pop_back()) known_.erase(learnt_.back());
}

bool RowShapes::is_of_positions(const llvm::Value& value) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || !variation_.differs(value)) return true;
  const auto [known, is_new] = of_positions_.try_emplace(&value, true);  // true around a loop
  if (!is_new) return known->second;
  bool is = false;
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(instruction)) {
    const auto* callee = call->getCalledFunction();
    if (callee->getName().starts_with("engine.")) return true;
    if (callee->getName().starts_with(guard_prefix))
      return of_positions_[&value] = is_of_positions(*call->getArgOperand(0));
    is = callee->isIntrinsic() && llvm::all_of(call->args(), [&](const llvm::Use& argument) {
           return is_of_positions(*argument);
         });
  } else {
    is = llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::CmpInst,
                   llvm::GetElementPtrInst, llvm::FreezeInst, llvm::PHINode>(instruction) &&
         llvm::all_of(instruction->operands(),
                      [&](const llvm::Use& operand) { return is_of_positions(*operand); });
  }
  return of_positions_[&value] = is;
}

std::optional<RowShape> RowShapes::find(const llvm::Value& value) {
  if (is_lane(value)) return RowShape{lane_count, 1};
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&value)) return of_call(*call);
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&value)) return of_binary(*binary);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) return of_phi(*phi);
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&value))
    return of_address(*address);
  if (llvm::isa<llvm::FreezeInst>(value))
    return of(*llvm::cast<llvm::Instruction>(value).getOperand(0));
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&value)) {
    if (!cast->getSrcTy()->isIntegerTy()) return std::nullopt;
    const auto shape = of(*cast->getOperand(0));
    if (llvm::isa<llvm::TruncInst>(cast)) return wrapping(shape);
    if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(cast)) return extended(shape);
    return std::nullopt;
  }
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&value)) {
    const auto condition = of(*select->getCondition());
    const auto yes = of(*select->getTrueValue());
    const auto no = of(*select->getFalseValue());
    if (!condition || condition->step != 0 || !yes || !no || yes->step != no->step)
      return std::nullopt;
    auto shape = joined_shape(yes, no, 0);
    shape->lanes = std::min(shape->lanes, condition->lanes);
    return shape;
  }
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&value))
    return of_operation_within_rows(of(*compare->getOperand(0)), of(*compare->getOperand(1)));
  return std::nullopt;
}

// A guard returns the address that it is given, unless that is far outside. A check returns the
// offset that it is given, but for those that it moves.
std::optional<RowShape> RowShapes::of_call(const llvm::CallInst& call) {
  const auto name = call.getCalledFunction()->getName();
  if (name.starts_with(guard_prefix)) return of(*call.getArgOperand(0));
  if (!name.starts_with("msci.check.re")) return std::nullopt;  // read and reach
  auto shape = of(*call.getArgOperand(0));
  if (shape) *shape = {.lanes = shape->lanes, .step = shape->step, .is_tested = true};
  return shape;
}

std::optional<RowShape> RowShapes::of_binary(const llvm::BinaryOperator& binary) {
  const auto& left = *binary.getOperand(0);
  const auto& right = *binary.getOperand(1);
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&right);
  const bool small = number && number->getBitWidth() <= 64;
  using llvm::Instruction;
  switch (binary.getOpcode()) {
    case Instruction::And:
      if (small && is_lane(left)) return of_masked_lane(number->getZExtValue());
      break;
    case Instruction::LShr:
      if (small && is_lane(left) && number->getZExtValue() < 5)
        return RowShape{1U << number->getZExtValue(), 0};
      break;
    case Instruction::Or:
      if (llvm::cast<llvm::PossiblyDisjointInst>(binary).isDisjoint())
        return joined_shape(of(left), of(right), 1);
      break;
    case Instruction::Add:
      return wrapping(joined_shape(of(left), of(right), 1));
    case Instruction::Sub:
      return wrapping(joined_shape(of(left), of(right), -1));
    case Instruction::Mul:
      if (small) return wrapping(scaled(of(left), number->getSExtValue()));
      break;
    case Instruction::Shl:
      if (small && number->getZExtValue() < 32)
        return wrapping(scaled(of(left), std::int64_t{1} << number->getZExtValue()));
      break;
    default:
      break;
  }
  return of_operation_within_rows(of(left), of(right));
}

std::optional<RowShape> RowShapes::of_address(const llvm::GetElementPtrInst& address) {
  const auto& operation = *llvm::cast<llvm::GEPOperator>(&address);
  llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  if (!operation.collectOffset(address.getDataLayout(), 64, variable, constant))
    return std::nullopt;
  auto shape = of(*address.getPointerOperand());
  for (const auto& [index, scale] : variable)
    shape =
        joined_shape(shape,
                     scaled(index->getType()->isIntegerTy(64) ? of(*index) : extended(of(*index)),
                            scale.getSExtValue()),
                     1);
  return shape;
}

// The lanes of a loop run its iterations together: a value keeps its shape if each iteration keeps
// it.
std::optional<RowShape> RowShapes::of_phi(const llvm::PHINode& phi) {
  const auto head = heads_.find(&phi);
  if (head == heads_.end() || head->second || phi.getNumIncomingValues() != 2) return std::nullopt;
  head->second = true;
  for (unsigned start = 0; start < 2; ++start) {
    const auto before = learnt_.size();
    const auto first = of(*phi.getIncomingValue(start));
    if (first && !first->is_tested) {
      auto assumed = *first;
      assumed.may_wrap = true;
      learn(phi, assumed);
      const auto next = of(*phi.getIncomingValue(1 - start));
      if (next && !next->is_tested && next->step == assumed.step && next->lanes >= assumed.lanes)
        return assumed;
    }
    forget_since(before);
  }
  return std::nullopt;
}

}  // namespace msci::engine
