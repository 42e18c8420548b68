// Values that are computed from data, such as floats: each operation is a function of which nothing
// else is known, so that equal operands give equal results.
#include <fmt/format.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "analysis/facts/event.h"

namespace msci::prover {
namespace {

constexpr unsigned deepest_value = 8;

bool is_number(const llvm::Type& type) {
  return type.isFloatingPointTy() || (type.isIntegerTy() && type.getIntegerBitWidth() <= 64);
}

// A name for an operation that computes its result from its operands alone; empty for others.
std::string name_of(const llvm::Instruction& instruction) {
  const auto type = [](const llvm::Type& each) {
    return fmt::format("{}{}", each.isFloatingPointTy() ? "f" : "i",
                       each.getPrimitiveSizeInBits().getFixedValue());
  };
  const auto of_types = [&](const std::string& operation) {
    return fmt::format("{}_{}_{}_", operation, type(*instruction.getOperand(0)->getType()),
                       type(*instruction.getType()));
  };
  if (llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst>(instruction))
    return of_types(instruction.getOpcodeName());
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || !call->getCalledFunction() || !call->doesNotAccessMemory()) return "";
  auto name = call->getCalledFunction()->getName().str();
  const bool is_known = llvm::isa<llvm::IntrinsicInst>(call) || name.starts_with("msci.math.");
  if (!is_known || call->arg_size() == 0) return "";
  std::replace_if(name.begin(), name.end(), [](char each) { return each == '.'; }, '_');
  return name + "_";
}

bool may_swap(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::BinaryOperator>(instruction) && instruction.isCommutative();
}

}  // namespace

std::string Event::applied(const std::string& operation, const std::vector<std::string>& operands) {
  script_.declare_named(operation, Sort::integer, static_cast<unsigned>(operands.size()));
  std::string text = "(" + operation;
  for (const auto& each : operands) text += " " + each;
  return script_.define("d", Sort::integer, text + ")");
}

// What memory holds before the kernel changes it, as a function of the address.
std::optional<std::string> Event::loaded(const llvm::LoadInst& load, unsigned element) {
  const auto object = code_.object_of(*load.getPointerOperand());
  if (!object || code_.is_threadgroup(*object) || load.isAtomic()) return std::nullopt;
  const auto precedes = [&](const llvm::Instruction& other) {
    return llvm::isPotentiallyReachable(&other, &load, nullptr, &code_.dominators, &code_.loops);
  };
  if (code_.is_written(*object)) {
    for (const auto& access : code_.calls.accesses)
      if (access.writes && code_.may_be_in(access, code_.memory_of(*object)) &&
          precedes(*access.call))
        return std::nullopt;
    for (const auto& barrier : code_.calls.barriers)
      if (precedes(*barrier.call)) return std::nullopt;
  }
  const auto place = place_of(load, element, *object);
  if (place.empty()) return std::nullopt;
  const auto value = script_.define("m", Sort::integer, place);
  script_.set_unknown(value, why(load));
  return value;
}

std::optional<std::string> Event::value_of_data(const llvm::Value& value, unsigned depth) {
  if (depth > deepest_value || !is_number(*value.getType())) return std::nullopt;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(&value))
    return smt_number(static_cast<Wide>(constant->getValueAPF().bitcastToAPInt().getZExtValue()));
  if (value.getType()->isIntegerTy() && !value.getType()->isIntegerTy(1)) {
    const auto bits = value.getType()->getIntegerBitWidth();
    const auto term = terms_.as_unsigned(this->term(value), bits);
    if (script_.unknowns_in({term.text}).empty()) return term.text;
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return std::nullopt;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) return loaded(*load, 0);
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(instruction)) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(extract->getVectorOperand());
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
    if (!load || !index) return std::nullopt;
    return loaded(*load, static_cast<unsigned>(index->getZExtValue()));
  }
  const auto name = name_of(*instruction);
  if (name.empty()) return std::nullopt;
  std::vector<std::string> operands;
  const auto* call = llvm::dyn_cast<llvm::CallInst>(instruction);
  for (const auto& operand : call ? call->args() : instruction->operands()) {
    auto term = value_of_data(*operand, depth + 1);
    if (!term) return std::nullopt;
    operands.push_back(*std::move(term));
  }
  if (may_swap(*instruction) && operands[0] != operands[1]) {
    const auto &a = operands[0], &b = operands[1];
    operands = {fmt::format("(ite (< {0} {1}) {0} {1})", a, b),
                fmt::format("(ite (< {0} {1}) {1} {0})", a, b)};
  }
  return applied(name, operands);
}

}  // namespace msci::prover
