#include "analysis/coverage/passes/host_numbers.h"

#include <llvm/IR/Operator.h>

#include <algorithm>

#include "analysis/coverage/passes/condition_words.h"

namespace msci {
namespace {

constexpr unsigned axes = 3;

}  // namespace

HostNumbers::HostNumbers(const llvm::Function& kernel, const KernelSignature& signature)
    : kernel_(kernel) {
  unsigned parameter = 0;
  for (const auto& argument : signature.arguments) {
    parameters_.push_back(parameter);
    parameter += is_device_memory(argument.kind) ? 2 : 1;
  }
}

llvm::Argument* HostNumbers::side_of(llvm::Function& kernel, const LaunchNumber& number) {
  const unsigned from_end = number.kind == LaunchNumber::Kind::grid ? launch_parameters : axes;
  return kernel.getArg(kernel.arg_size() - from_end + number.index);
}

std::optional<LaunchNumber> HostNumbers::number_of(const llvm::Value& value,
                                                   unsigned element) const {
  const auto* type = value.getType()->getScalarType();
  if (!type->isIntegerTy(32) && !type->isFloatTy()) return std::nullopt;
  if (const auto* parameter = llvm::dyn_cast<llvm::Argument>(&value)) {
    const auto first = kernel_.arg_size() - launch_parameters;
    if (parameter->getArgNo() < first) return std::nullopt;
    const auto side = static_cast<unsigned>(parameter->getArgNo() - first);
    return LaunchNumber{side < axes ? LaunchNumber::Kind::grid : LaunchNumber::Kind::threadgroup,
                        side % axes, 0};
  }
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (!load || !reads_argument(*load)) return std::nullopt;
  return word_at(*load, std::size_t{4} * element);
}

std::optional<LaunchNumber> HostNumbers::word_at(const llvm::LoadInst& load,
                                                 std::size_t byte) const {
  llvm::APInt at(64, 0);
  const llvm::Value* base = load.getPointerOperand();
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(base))
    step->accumulateConstantOffset(load.getDataLayout(), at);
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(base))
    base = step->getPointerOperand();
  const auto known = std::ranges::find(parameters_, llvm::cast<llvm::Argument>(base)->getArgNo());
  if (known == parameters_.end()) return std::nullopt;
  return LaunchNumber{LaunchNumber::Kind::argument,
                      static_cast<unsigned>(known - parameters_.begin()), at.getZExtValue() + byte};
}

}  // namespace msci
