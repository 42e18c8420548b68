#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "compiler/translate_kernels.h"

namespace msci {
namespace {

class Numbers {
 public:
  void add(const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::GetElementPtrInst, llvm::AllocaInst>(instruction)) return;
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && !computes(*call))
      return;
    if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
      for (const auto& each : choice->cases()) add(*each.getCaseValue());
    for (const auto& operand : instruction.operands())
      if (const auto* constant = llvm::dyn_cast<llvm::Constant>(operand)) add_all(*constant);
  }

  KernelNumbers all() const {
    return {{integers_.begin(), integers_.end()}, {reals_.begin(), reals_.end()}};
  }

 private:
  // Whether its arguments are numbers of the kernel's arithmetic: not lanes, flags, positions or
  // lengths of copies.
  static bool computes(const llvm::CallBase& call) {
    if (call.getType()->isVoidTy()) return false;
    const auto* callee = call.getCalledFunction();
    return llvm::isa<llvm::IntrinsicInst>(call) ||
           (callee && callee->getName().starts_with("msci.math."));
  }

  void add_all(const llvm::Constant& constant) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(constant.getType());
    if (!vector) return add(constant);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      if (const auto* element = constant.getAggregateElement(i)) add(*element);
  }

  void add(const llvm::Constant& constant) {
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&constant)) add(number->getValue());
    if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant))
      add(number->getValueAPF());
  }

  // LLVM adds a negative number instead of subtracting.
  void add(const llvm::APInt& number) {
    constexpr std::uint64_t least = 3, most = 1 << 24;
    const auto magnitude = number.getBitWidth() >= 32 ? number.abs() : number;
    const auto value = magnitude.getLimitedValue();
    if (value >= least && value <= most) integers_.insert(static_cast<unsigned>(value));
  }

  void add(llvm::APFloat number) {
    bool loses = false;
    number.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &loses);
    if (number.isFiniteNonZero()) reals_.insert(std::abs(number.convertToFloat()));
  }

  std::set<unsigned> integers_;
  std::set<float> reals_;
};

}  // namespace

KernelNumbers numbers_in(const llvm::Module& ir) {
  Numbers numbers;
  for (const auto& function : ir)
    for (const auto& instruction : llvm::instructions(function)) numbers.add(instruction);
  return numbers.all();
}

}  // namespace msci
