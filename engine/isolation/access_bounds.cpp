#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "compiler/ir/spaces.h"
#include "engine/isolation/guard_accesses.h"
#include "engine/isolation/windows.h"

namespace msci::engine {
namespace {

// The bytes from the begin of a buffer to what is bound follow its pointer among the parameters,
// and come from the host: they lie inside the buffer.
const llvm::Argument* offset_parameter(const llvm::Value& base) {
  const auto* parameter = llvm::dyn_cast<llvm::Argument>(&base);
  if (!parameter || parameter->getType()->getPointerAddressSpace() != device_space) return nullptr;
  const auto& kernel = *parameter->getParent();
  if (parameter->getArgNo() + 1 >= kernel.arg_size()) return nullptr;
  const auto* next = kernel.getArg(parameter->getArgNo() + 1);
  return next->getType()->isIntegerTy(64) ? next : nullptr;
}

bool holds_threadgroup_memory(const llvm::Value& value) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  return variable && variable->getAddressSpace() == threadgroup_space;
}

std::optional<Reach> sum(std::optional<Reach> a, std::optional<Reach> b) {
  Reach reach;
  if (!a || !b || __builtin_add_overflow(a->least, b->least, &reach.least) ||
      __builtin_add_overflow(a->most, b->most, &reach.most))
    return std::nullopt;
  return reach;
}

}  // namespace

AccessBounds::AccessBounds(llvm::Function& kernel)
    : dominators_(kernel),
      loops_(dominators_),
      assumptions_(kernel),
      library_(kernel.getParent()->getTargetTriple()),
      functions_(library_),
      evolution_(kernel, functions_, assumptions_, dominators_, loops_) {}

std::optional<Reach> AccessBounds::steps(const llvm::SCEV* offset, const llvm::Value& base) {
  if (llvm::isa<llvm::SCEVCouldNotCompute>(offset)) return std::nullopt;
  const auto range_of = [&](const llvm::SCEV* bytes) {
    const auto range = evolution_.getSignedRange(bytes);
    return Reach{range.getSignedMin().getSExtValue(), range.getSignedMax().getSExtValue()};
  };
  const auto* before = offset_parameter(base);
  if (!before) return range_of(offset);
  auto* parameter = evolution_.getUnknown(const_cast<llvm::Argument*>(before));
  return range_of(evolution_.getMinusSCEV(offset, parameter));
}

std::optional<Reach> AccessBounds::reach_of_any(llvm::ArrayRef<llvm::Value*> pointers) {
  std::optional<Reach> all;
  for (auto* pointer : pointers) {
    const auto one = find_reach(*pointer);
    if (!one) return std::nullopt;
    all = all ? Reach{std::min(all->least, one->least), std::max(all->most, one->most)} : *one;
  }
  return all;
}

std::optional<Reach> AccessBounds::find_reach(llvm::Value& pointer) {
  if (llvm::isa<llvm::Argument>(pointer) || holds_threadgroup_memory(pointer)) return Reach{};
  const auto* address = evolution_.getSCEV(&pointer);
  if (const auto* base = llvm::dyn_cast<llvm::SCEVUnknown>(evolution_.getPointerBase(address));
      base && base->getValue() != &pointer)
    return sum(find_reach(*base->getValue()),
               steps(evolution_.removePointerBase(address), *base->getValue()));
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&pointer))
    return reach_of_any({select->getTrueValue(), select->getFalseValue()});
  if (auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(&pointer))
    return find_reach(*frozen->getOperand(0));
  auto* phi = llvm::dyn_cast<llvm::PHINode>(&pointer);
  if (!phi || !pending_.insert(phi).second) return std::nullopt;
  const auto all = reach_of_any(llvm::SmallVector<llvm::Value*>(phi->incoming_values()));
  pending_.erase(phi);
  return all;
}

std::optional<Reach> AccessBounds::reach(llvm::Value& pointer) { return find_reach(pointer); }

llvm::Value* AccessBounds::array(llvm::Value& pointer) {
  const auto* base =
      llvm::dyn_cast<llvm::SCEVUnknown>(evolution_.getPointerBase(evolution_.getSCEV(&pointer)));
  if (!base) return nullptr;
  auto* value = base->getValue();
  return llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(value) ? value : nullptr;
}

llvm::Argument* AccessBounds::parameter(llvm::Value& pointer) {
  const auto* base =
      llvm::dyn_cast<llvm::SCEVUnknown>(evolution_.getPointerBase(evolution_.getSCEV(&pointer)));
  return base ? llvm::dyn_cast<llvm::Argument>(base->getValue()) : nullptr;
}

bool AccessBounds::is_inside(llvm::Value& pointer, llvm::Value& array, std::uint64_t size,
                             std::uint64_t bytes, const llvm::Instruction& at) {
  if (bytes > size) return false;
  const auto* offset =
      evolution_.getMinusSCEV(evolution_.getSCEV(&pointer), evolution_.getSCEV(&array));
  if (llvm::isa<llvm::SCEVCouldNotCompute>(offset)) return false;
  const auto most = size - bytes;
  if (evolution_.getUnsignedRange(offset).getUnsignedMax().ule(most)) return true;
  const auto* last = evolution_.getConstant(offset->getType(), most);
  return evolution_.isKnownPredicateAt(llvm::ICmpInst::ICMP_ULE, offset, last, &at);
}

}  // namespace msci::engine
