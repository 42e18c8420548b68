// Conditions as terms: comparisons, and values of one bit.
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "analysis/facts/event.h"

namespace msci::prover {

Truth Event::make_truth(const llvm::Value& value, unsigned element) {
  if (const auto* constant = constant_of(value, element))
    return {constant->isOne() ? "true" : "false"};
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return unknown_truth(value, element);
  if (const auto from = element_of(*instruction, element)) return truth(*from->first, from->second);
  if (const auto* comparison = llvm::dyn_cast<llvm::CmpInst>(instruction))
    return of_comparison(*comparison, element);
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(instruction))
    return of_logic(*operation, element);
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
    const auto& condition = *choice->getCondition();
    const auto chosen = truth(condition, condition.getType()->isVectorTy() ? element : 0);
    return (chosen && truth(*choice->getTrueValue(), element)) ||
           (!chosen && truth(*choice->getFalseValue(), element));
  }
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) return of_phi(*phi, element);
  if (llvm::isa<llvm::FreezeInst>(instruction) &&
      !llvm::isa<llvm::UndefValue>(instruction->getOperand(0)))
    return truth(*instruction->getOperand(0), element);
  if (const auto* cast = llvm::dyn_cast<llvm::TruncInst>(instruction))
    if (cast->getOperand(0)->getType()->getScalarSizeInBits() <= 64)
      return equal(terms_.remainder(term(*cast->getOperand(0), element), number(2)), number(1));
  return unknown_truth(value, element);
}

Truth Event::of_logic(const llvm::BinaryOperator& operation, unsigned element) {
  const auto a = truth(*operation.getOperand(0), element);
  const auto b = truth(*operation.getOperand(1), element);
  switch (operation.getOpcode()) {
    case llvm::Instruction::And:
    case llvm::Instruction::Mul:
      return a && b;
    case llvm::Instruction::Or:
      return a || b;
    case llvm::Instruction::Xor:
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
      return !equal(a, b);
    default:
      return unknown_truth(operation, element);
  }
}

// The highest bit of a bitwise combination is the combination of the highest bits. Checks of sums
// consist of these.
Truth Event::sign_bit(const llvm::Value& value, unsigned element, unsigned bits) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (operation) {
    const auto of = [&](unsigned i) { return sign_bit(*operation->getOperand(i), element, bits); };
    switch (operation->getOpcode()) {
      case llvm::Instruction::And:
        return terms_.shared(of(0) && of(1));
      case llvm::Instruction::Or:
        return terms_.shared(of(0) || of(1));
      case llvm::Instruction::Xor:
        return terms_.shared(!equal(of(0), of(1)));
      default:
        break;
    }
  }
  return terms_.shared(terms_.sign_bit(term(value, element), bits));
}

Truth Event::of_comparison(const llvm::CmpInst& comparison, unsigned element) {
  using namespace llvm::PatternMatch;
  const auto& x = *comparison.getOperand(0);
  const auto& y = *comparison.getOperand(1);
  const auto bits = x.getType()->getScalarSizeInBits();
  if (!llvm::isa<llvm::ICmpInst>(comparison) || !x.getType()->getScalarType()->isIntegerTy() ||
      bits > 64)
    return unknown_truth(comparison, element);
  const auto predicate = comparison.getPredicate();
  if (bits == 1) {
    const auto a = truth(x, element), b = truth(y, element);
    if (predicate == llvm::CmpInst::ICMP_EQ) return equal(a, b);
    if (predicate == llvm::CmpInst::ICMP_NE) return !equal(a, b);
    if (predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_SGT)
      return !a && b;
    if (predicate == llvm::CmpInst::ICMP_UGT || predicate == llvm::CmpInst::ICMP_SLT)
      return a && !b;
    return unknown_truth(comparison, element);
  }
  if (predicate == llvm::CmpInst::ICMP_SLT && match(&y, m_Zero()))
    return sign_bit(x, element, bits);
  if (predicate == llvm::CmpInst::ICMP_SGT && match(&y, m_AllOnes()))
    return !sign_bit(x, element, bits);
  const bool is_signed = llvm::CmpInst::isSigned(predicate);
  auto a = term(x, element), b = term(y, element);
  const auto half = power_of_two(bits - 1);
  const bool are_signed_numbers =
      a.range.is_within({-half, half - 1}) && b.range.is_within({-half, half - 1});
  if (is_signed || (comparison.isEquality() && are_signed_numbers)) {
    a = terms_.as_signed(a, bits);
    b = terms_.as_signed(b, bits);
  } else {
    a = terms_.as_unsigned(a, bits);
    b = terms_.as_unsigned(b, bits);
  }
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ:
      return equal(a, b);
    case llvm::CmpInst::ICMP_NE:
      return !equal(a, b);
    case llvm::CmpInst::ICMP_ULT:
    case llvm::CmpInst::ICMP_SLT:
      return less(a, b);
    case llvm::CmpInst::ICMP_UGT:
    case llvm::CmpInst::ICMP_SGT:
      return less(b, a);
    case llvm::CmpInst::ICMP_ULE:
    case llvm::CmpInst::ICMP_SLE:
      return at_most(a, b);
    case llvm::CmpInst::ICMP_UGE:
    case llvm::CmpInst::ICMP_SGE:
      return at_most(b, a);
    default:
      return unknown_truth(comparison, element);
  }
}

Truth Event::of_phi(const llvm::PHINode& phi, unsigned element) {
  const auto& block = *phi.getParent();
  if (code_.loops.isLoopHeader(&block)) return unknown_truth(phi, element);
  for (const auto& value : phi.incoming_values()) {
    const auto* made = llvm::dyn_cast<llvm::Instruction>(value.get());
    const auto* around = made ? code_.loops.getLoopFor(made->getParent()) : nullptr;
    if (around && !around->contains(&block)) return unknown_truth(phi, element);
  }
  std::optional<Truth> chosen;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const auto value = truth(*phi.getIncomingValue(i), element);
    const auto taken = takes(*phi.getIncomingBlock(i), block);
    chosen = chosen ? terms_.shared((taken && value) || (!taken && *chosen)) : value;
  }
  return *chosen;
}

}  // namespace msci::prover
