// Comparisons of integers, and conditions where paths meet.
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "analysis/facts/event.h"

namespace msci::prover {

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

Truth Event::of_comparison(const llvm::ICmpInst& comparison, unsigned element, unsigned bits) {
  using namespace llvm::PatternMatch;
  const auto& x = *comparison.getOperand(0);
  const auto& y = *comparison.getOperand(1);
  const auto predicate = comparison.getPredicate();
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
  if (predicate == llvm::CmpInst::ICMP_EQ) return equal(a, b);
  if (predicate == llvm::CmpInst::ICMP_NE) return !equal(a, b);
  if (llvm::ICmpInst::isLT(predicate)) return less(a, b);
  if (llvm::ICmpInst::isGT(predicate)) return less(b, a);
  return llvm::ICmpInst::isLE(predicate) ? at_most(a, b) : at_most(b, a);
}

Truth Event::truth_of_phi(const llvm::PHINode& phi, unsigned element) {
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
