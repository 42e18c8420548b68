#include "analysis/facts/check_calls.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

#include "analysis/check/fault_table.h"

namespace msci::prover {
namespace {

// The memories that a barrier's flags name (metal_compute).
constexpr unsigned device_flag = 1, threadgroup_flag = 2;

unsigned constant(const llvm::CallInst& call, unsigned argument) {
  const auto* value = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument));
  return value ? static_cast<unsigned>(value->getZExtValue()) : 0;
}

void set_kind(AccessCall& access, AccessKind kind) {
  access.atomic = is_atomic(kind);
  access.adds = kind == AccessKind::add;
  access.stores = kind == AccessKind::atomic_write;
}

// msci.check.read.SPACE and msci.check.reach: offset, bytes, align, object, location, wrapped, and
// the AccessKind.
AccessCall bounding_access(const llvm::CallInst& call, bool reads, llvm::StringRef space) {
  AccessCall access{.call = &call,
                    .offset = call.getArgOperand(0),
                    .bytes = constant(call, 1),
                    .align = constant(call, 2),
                    .object = call.getArgOperand(3),
                    .location = constant(call, 4),
                    .wrapped = call.getArgOperand(5),
                    .bounds = true,
                    .records = reads};
  set_kind(access, static_cast<AccessKind>(constant(call, 6)));
  access.threadgroup = space == "threadgroup";
  return access;
}

// msci.check.write.SPACE[.TYPE]: offset, bytes, object, location, AccessKind, same, and the value.
AccessCall recorded_write(const llvm::CallInst& call, llvm::StringRef space) {
  AccessCall access{.call = &call,
                    .offset = call.getArgOperand(0),
                    .bytes = constant(call, 1),
                    .object = call.getArgOperand(2),
                    .location = constant(call, 3),
                    .records = true,
                    .writes = true};
  set_kind(access, static_cast<AccessKind>(constant(call, 4)));
  access.threadgroup = space.starts_with("threadgroup");
  access.same = call.getArgOperand(5);
  if (call.arg_size() > 6) access.stored = call.getArgOperand(6);
  return access;
}

Barrier barrier(const llvm::CallInst& call, bool of_simdgroup) {
  const auto flags = constant(call, 0);
  Barrier barrier{.call = &call,
                  .of_simdgroup = of_simdgroup,
                  .orders_device = (flags & device_flag) != 0,
                  .orders_threadgroup = (flags & threadgroup_flag) != 0};
  if (const auto* place = call.getMetadata("msci.place"); place && place->getNumOperands() > 0)
    if (const auto* number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(place->getOperand(0)))
      barrier.location = static_cast<unsigned>(number->getZExtValue());
  return barrier;
}

// msci.check.hold: condition, kind, location.
Condition condition(const llvm::CallInst& call) {
  return {.call = &call,
          .holds = call.getArgOperand(0),
          .location = constant(call, 2),
          .kind = static_cast<Fault::Kind>(constant(call, 1))};
}

void take(const llvm::CallInst& call, KernelCalls& calls) {
  llvm::StringRef name = call.getCalledFunction() ? call.getCalledFunction()->getName() : "";
  if (name == "msci.fence") calls.has_fence = true;
  if (name == "msci.barrier.threadgroup") calls.barriers.push_back(barrier(call, false));
  if (name == "msci.barrier.simdgroup") calls.barriers.push_back(barrier(call, true));
  if (!name.consume_front("msci.check.")) return;
  if (name.consume_front("read."))
    calls.accesses.push_back(bounding_access(call, true, name));
  else if (name == "reach")
    calls.accesses.push_back(bounding_access(call, false, name));
  else if (name.consume_front("write."))
    calls.accesses.push_back(recorded_write(call, name));
  else if (name == "hold")
    if (const auto held = condition(call); description_of(held.kind).proof)
      calls.conditions.push_back(held);
}

}  // namespace

KernelCalls calls_of(const llvm::Function& kernel) {
  KernelCalls calls;
  for (const auto& instruction : llvm::instructions(kernel)) {
    if (llvm::isa<llvm::FenceInst>(instruction)) calls.has_fence = true;
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) take(*call, calls);
  }
  return calls;
}

std::string callee_of(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName().str() : std::string();
}

const llvm::Value* bounded_offset(const llvm::Value& value) {
  const auto name = callee_of(value);
  if (name != "msci.check.reach" && !name.starts_with("msci.check.read.")) return nullptr;
  return llvm::cast<llvm::CallInst>(value).getArgOperand(0);
}

}  // namespace msci::prover
