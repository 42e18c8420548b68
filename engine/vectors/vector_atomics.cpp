#include <llvm/IR/Instructions.h>

#include "engine/vectors/specialise.h"
#include "engine/vectors/vectoriser.h"

namespace msci::engine {

namespace {

using Operation = llvm::AtomicRMWInst;

bool is_combinable(const llvm::AtomicRMWInst& atomic) {
  switch (atomic.getOperation()) {
    case Operation::Add:
    case Operation::Sub:
    case Operation::And:
    case Operation::Or:
    case Operation::Xor:
    case Operation::UMin:
    case Operation::UMax:
    case Operation::Min:
    case Operation::Max:
    case Operation::FAdd:
    case Operation::FSub:
      return true;
    default:
      return false;
  }
}

}  // namespace

// Runs `body` for each lane that runs, in their order.
void Vectoriser::for_active_lanes(llvm::function_ref<void(Value* lane)> body) {
  auto* before = builder_.GetInsertBlock();
  auto* loop = new_block("lane");
  auto* after = new_block("lanes.done");
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  auto* remaining = builder_.CreatePHI(i32_, 2);
  remaining->addIncoming(mask_bits(), before);
  auto* lane =
      builder_.CreateIntrinsic(llvm::Intrinsic::cttz, {i32_}, {remaining, builder_.getTrue()});
  body(lane);
  auto* rest = builder_.CreateAnd(remaining, builder_.CreateSub(remaining, builder_.getInt32(1)));
  remaining->addIncoming(rest, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateIsNotNull(rest), loop, after);
  builder_.SetInsertPoint(after);
}

// What the active lanes' values make together.
Vectoriser::Value* Vectoriser::combined(llvm::AtomicRMWInst::BinOp operation, Value* values) {
  switch (operation) {
    case Operation::Add:
    case Operation::Sub:  // of a sum
      return combined_lanes("sum.u32", values, lane_count);
    case Operation::FAdd:
    case Operation::FSub:
      return combined_lanes("sum.f32", values, lane_count);
    case Operation::And:
      return combined_lanes("and.u32", values, lane_count);
    case Operation::Or:
      return combined_lanes("or.u32", values, lane_count);
    case Operation::Xor:
      return combined_lanes("xor.u32", values, lane_count);
    case Operation::UMin:
      return combined_lanes("min.u32", values, lane_count);
    case Operation::UMax:
      return combined_lanes("max.u32", values, lane_count);
    case Operation::Min:
      return combined_lanes("min.i32", values, lane_count);
    default:
      return combined_lanes("max.i32", values, lane_count);
  }
}

void Vectoriser::visit_atomic(llvm::AtomicRMWInst& atomic) {
  const auto* pointer = atomic.getPointerOperand();
  auto* type = atomic.getType();
  const auto order = atomic.getOrdering();
  const auto one = [&](Value* address, Value* operand) {
    return builder_.CreateAtomicRMW(atomic.getOperation(), address, operand, atomic.getAlign(),
                                    order);
  };
  auto* operands = vector(*atomic.getValOperand());
  // All lanes at one address, which need no answer: one access.
  if (!differs(*pointer) && atomic.use_empty() && is_combinable(atomic)) {
    one(scalar(*pointer), combined(atomic.getOperation(), operands));
    return;
  }
  // A counter: each lane gets what the lanes before it leave.
  if (!differs(*pointer) && atomic.getOperation() == Operation::Add) {
    auto* before = prefix_lanes("prefix_exclusive_sum.u32", operands, lane_count);
    auto* old = one(scalar(*pointer), combined(Operation::Add, operands));
    return define(atomic, {builder_.CreateAdd(splat(old), before)});
  }
  auto* addresses = vector(*pointer);
  llvm::AllocaInst* results = nullptr;
  if (!atomic.use_empty()) {
    results = slot(wide(type), "old");
    builder_.CreateStore(llvm::Constant::getNullValue(wide(type)), results);
  }
  for_active_lanes([&](Value* lane) {
    auto* old = one(builder_.CreateExtractElement(addresses, lane),
                    builder_.CreateExtractElement(operands, lane));
    if (results) builder_.CreateStore(old, builder_.CreateGEP(type, results, lane));
  });
  if (results) define(atomic, {builder_.CreateLoad(wide(type), results)});
}

void Vectoriser::visit_exchange(llvm::AtomicCmpXchgInst& exchange) {
  auto* type = exchange.getCompareOperand()->getType();
  auto* addresses = vector(*exchange.getPointerOperand());
  auto* expected = vector(*exchange.getCompareOperand());
  auto* wanted = vector(*exchange.getNewValOperand());
  auto* results = slot(wide(type), "old");
  builder_.CreateStore(llvm::Constant::getNullValue(wide(type)), results);
  for_active_lanes([&](Value* lane) {
    auto* pair = builder_.CreateAtomicCmpXchg(
        builder_.CreateExtractElement(addresses, lane),
        builder_.CreateExtractElement(expected, lane), builder_.CreateExtractElement(wanted, lane),
        exchange.getAlign(), exchange.getSuccessOrdering(), exchange.getFailureOrdering());
    builder_.CreateStore(builder_.CreateExtractValue(pair, 0),
                         builder_.CreateGEP(type, results, lane));
  });
  auto* old = builder_.CreateLoad(wide(type), results);
  define(exchange, {old, builder_.CreateICmpEQ(old, expected)});
}

}  // namespace msci::engine
