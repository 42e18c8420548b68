#include "analysis/terms/value_terms.h"

namespace msci::prover {

const llvm::ConstantInt* constant_of(const llvm::Value& value, unsigned element) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
  if (constant && constant->getType()->isVectorTy())
    constant = constant->getAggregateElement(element);
  return constant ? llvm::dyn_cast<llvm::ConstantInt>(constant) : nullptr;
}

std::optional<std::pair<const llvm::Value*, unsigned>> element_of(
    const llvm::Instruction& instruction, unsigned element) {
  using Element = std::pair<const llvm::Value*, unsigned>;
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
    if (!index) return std::nullopt;
    return Element{extract->getVectorOperand(), static_cast<unsigned>(index->getZExtValue())};
  }
  if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    if (!index) return std::nullopt;
    if (index->getZExtValue() == element) return Element{insert->getOperand(1), 0};
    return Element{insert->getOperand(0), element};
  }
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction);
  if (!shuffle) return std::nullopt;
  const auto from = shuffle->getMaskValue(element);
  const auto width = static_cast<int>(
      llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
  if (from < 0) return std::nullopt;
  if (from < width) return Element{shuffle->getOperand(0), static_cast<unsigned>(from)};
  return Element{shuffle->getOperand(1), static_cast<unsigned>(from - width)};
}

Term Values::term(const llvm::Value& value, unsigned element) {
  const Key key{&value, element};
  if (const auto known = known_.terms.find(key); known != known_.terms.end()) return known->second;
  const auto bits = value.getType()->getScalarSizeInBits();
  // ScalarEvolution may say a value by itself.
  if (!open_terms_.insert(key).second) return unknown_term(value, element, bits);
  auto made = terms_.shared(make_term(value, element, bits));
  open_terms_.erase(key);
  known_.terms[key] = made;
  return made;
}

Truth Values::truth(const llvm::Value& value, unsigned element) {
  const Key key{&value, element};
  if (const auto known = known_.truths.find(key); known != known_.truths.end())
    return known->second;
  if (!open_truths_.insert(key).second) return unknown_truth(value, element);
  auto made = terms_.shared(make_truth(value, element));
  open_truths_.erase(key);
  known_.truths[key] = made;
  return made;
}

Term Values::make_term(const llvm::Value& value, unsigned element, unsigned bits) {
  if (const auto* constant = constant_of(value, element))
    if (constant->getBitWidth() <= 64) return this->constant(constant->getValue());
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (bits == 1 && value.getType()->getScalarType()->isIntegerTy())
    return terms_.choose(truth(value, element), constant(llvm::APInt(1, 1)),
                         constant(llvm::APInt(1, 0)));
  if (!instruction || bits == 0 || bits > 64 || !value.getType()->getScalarType()->isIntegerTy())
    return unknown_term(value, element, bits);
  return of_instruction(*instruction, element, bits);
}

Term Values::of_instruction(const llvm::Instruction& instruction, unsigned element, unsigned bits) {
  if (const auto from = element_of(instruction, element)) return term(*from->first, from->second);
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return of_binary(*operation, element, bits);
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return of_cast(*cast, element, bits);
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    const auto& condition = *choice->getCondition();
    return terms_.choose(truth(condition, condition.getType()->isVectorTy() ? element : 0),
                         term(*choice->getTrueValue(), element),
                         term(*choice->getFalseValue(), element));
  }
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
    return of_phi(*phi, element, bits);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return of_load(*load, element, bits);
  if (llvm::isa<llvm::FreezeInst>(instruction) &&
      !llvm::isa<llvm::UndefValue>(instruction.getOperand(0)))
    return term(*instruction.getOperand(0), element);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return of_call(*call, element, bits);
  return unknown_term(instruction, element, bits);
}

Truth Values::make_truth(const llvm::Value& value, unsigned element) {
  if (const auto* constant = constant_of(value, element))
    return {constant->isOne() ? "true" : "false"};
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return unknown_truth(value, element);
  if (const auto from = element_of(*instruction, element)) return truth(*from->first, from->second);
  if (const auto* comparison = llvm::dyn_cast<llvm::CmpInst>(instruction))
    return of_compare(*comparison, element);
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(instruction))
    return of_logic(*operation, element);
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
    const auto& condition = *choice->getCondition();
    const auto chosen = truth(condition, condition.getType()->isVectorTy() ? element : 0);
    return (chosen && truth(*choice->getTrueValue(), element)) ||
           (!chosen && truth(*choice->getFalseValue(), element));
  }
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
    return truth_of_phi(*phi, element);
  if (llvm::isa<llvm::FreezeInst>(instruction) &&
      !llvm::isa<llvm::UndefValue>(instruction->getOperand(0)))
    return truth(*instruction->getOperand(0), element);
  if (const auto* cast = llvm::dyn_cast<llvm::TruncInst>(instruction))
    if (cast->getOperand(0)->getType()->getScalarSizeInBits() <= 64)
      return terms_.is_odd(term(*cast->getOperand(0), element));
  return unknown_truth(value, element);
}

Truth Values::of_logic(const llvm::BinaryOperator& operation, unsigned element) {
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

Truth Values::of_compare(const llvm::CmpInst& comparison, unsigned element) {
  const auto& x = *comparison.getOperand(0);
  const auto& y = *comparison.getOperand(1);
  const auto bits = x.getType()->getScalarSizeInBits();
  const auto* of_integers = llvm::dyn_cast<llvm::ICmpInst>(&comparison);
  if (!of_integers || !x.getType()->getScalarType()->isIntegerTy() || bits > 64)
    return unknown_truth(comparison, element);
  if (bits > 1) return of_comparison(*of_integers, element, bits);
  const auto a = truth(x, element), b = truth(y, element);
  const auto predicate = comparison.getPredicate();
  if (predicate == llvm::CmpInst::ICMP_EQ) return equal(a, b);
  if (predicate == llvm::CmpInst::ICMP_NE) return !equal(a, b);
  if (predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_SGT) return !a && b;
  if (predicate == llvm::CmpInst::ICMP_UGT || predicate == llvm::CmpInst::ICMP_SLT) return a && !b;
  return unknown_truth(comparison, element);
}

}  // namespace msci::prover
