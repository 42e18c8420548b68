// Bitwise operations, bit by bit: an index whose bits are spread, joined or in another order.
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Support/KnownBits.h>

#include <algorithm>

#include "prover/analysis/event.h"

namespace msci::prover {
namespace {

constexpr unsigned deepest = 8;

// The number by which a shift moves; nothing where it is not a constant within the number.
std::optional<unsigned> constant_shift(const llvm::BinaryOperator& shift, unsigned element,
                                       unsigned bits) {
  const auto* by = constant_of(*shift.getOperand(1), element);
  if (!by || by->getValue().uge(bits)) return std::nullopt;
  return static_cast<unsigned>(by->getZExtValue());
}

// The bits that may be set in a number, as far as its operations say.
llvm::APInt possible_bits(const llvm::Value& value, const Code& code, unsigned depth = 0) {
  const auto width = value.getType()->getIntegerBitWidth();
  auto possible = ~llvm::computeKnownBits(&value, llvm::SimplifyQuery(code.kernel.getDataLayout())).Zero;
  const auto most =
      code.evolution.getUnsignedRangeMax(code.evolution.getSCEV(const_cast<llvm::Value*>(&value)));
  possible &= llvm::APInt::getLowBitsSet(width, most.getActiveBits());
  const auto* operation = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!operation || depth == deepest) return possible;
  const auto of = [&](unsigned operand) {
    return possible_bits(*operation->getOperand(operand), code, depth + 1);
  };
  switch (operation->getOpcode()) {
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      return possible & (of(0) | of(1));
    case llvm::Instruction::And:
      return possible & of(0) & of(1);
    case llvm::Instruction::Shl:
      if (const auto by = constant_shift(llvm::cast<llvm::BinaryOperator>(*operation), 0, width))
        return possible & of(0).shl(*by);
      return possible;
    case llvm::Instruction::LShr:
      if (const auto by = constant_shift(llvm::cast<llvm::BinaryOperator>(*operation), 0, width))
        return possible & of(0).lshr(*by);
      return possible;
    case llvm::Instruction::ZExt:
      return possible & of(0).zext(width);
    default:
      return possible;
  }
}

const Term zero = number(0), one = number(1);

}  // namespace

bool Event::have_no_common_bits(const llvm::Value& a, const llvm::Value& b) const {
  const auto* type = llvm::dyn_cast<llvm::IntegerType>(a.getType());
  if (!type || type->getBitWidth() > 64) return false;
  return !possible_bits(a, code_).intersects(possible_bits(b, code_));
}

// Each is 0, 1, or a symbol for one of the two.
Term Event::combined_bit(unsigned opcode, const Term& a, const Term& b) {
  const bool is_same = a.text == b.text;
  const auto either_constant = [&](Wide value) {
    return a.constant() == value || b.constant() == value;
  };
  const auto other_than = [&](Wide value) { return a.constant() == value ? b : a; };
  const auto sum = [&] { return terms_.add(a, b); };
  switch (opcode) {
    case llvm::Instruction::And:
      if (is_same || either_constant(1)) return is_same ? a : other_than(1);
      if (either_constant(0)) return zero;
      return terms_.choose(equal(sum(), number(2)), one, zero);
    case llvm::Instruction::Or:
      if (is_same || either_constant(0)) return is_same ? a : other_than(0);
      if (either_constant(1)) return one;
      return terms_.choose(equal(sum(), zero), zero, one);
    default:
      if (is_same) return zero;
      if (either_constant(0)) return other_than(0);
      if (either_constant(1)) return terms_.subtract(one, other_than(1));
      return terms_.choose(equal(sum(), one), one, zero);
  }
}

// The bits of a number, from the lowest on; nothing where there are too many.
std::optional<std::vector<Term>> Event::bits_of(const llvm::Value& value, unsigned element,
                                                unsigned bits, unsigned depth) {
  std::vector<Term> all(bits, zero);
  if (const auto* constant = constant_of(value, element)) {
    for (unsigned i = 0; i < bits; ++i)
      if (constant->getValue()[i]) all[i] = one;
    return all;
  }
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (operation && depth < deepest) {
    const auto of = [&](unsigned i) {
      return bits_of(*operation->getOperand(i), element, bits, depth + 1);
    };
    if (operation->isBitwiseLogicOp()) {
      const auto a = of(0), b = of(1);
      if (!a || !b) return std::nullopt;
      for (unsigned i = 0; i < bits; ++i)
        all[i] = combined_bit(operation->getOpcode(), (*a)[i], (*b)[i]);
      return all;
    }
    const auto opcode = operation->getOpcode();
    const auto by = operation->isShift() ? constant_shift(*operation, element, bits) : std::nullopt;
    if (by) {
      const auto a = of(0);
      if (!a) return std::nullopt;
      const bool is_left = opcode == llvm::Instruction::Shl;
      if (opcode == llvm::Instruction::AShr) all.assign(bits, a->back());
      for (unsigned i = 0; i + *by < bits; ++i)
        (is_left ? all[i + *by] : all[i]) = is_left ? (*a)[i] : (*a)[i + *by];
      return all;
    }
  }
  constexpr unsigned most_bits = 32;
  const auto known = terms_.as_unsigned(term(value, element), bits);
  unsigned width = 0;
  while (width < bits && power_of_two(width) <= known.range.high) ++width;
  if (width > most_bits) return std::nullopt;
  if (const auto constant = known.constant()) {
    for (unsigned i = 0; i < bits; ++i)
      if (*constant >> i & 1) all[i] = one;
    return all;
  }
  const auto& symbols = script_.bits_of(known.text, width);
  for (unsigned i = 0; i < width; ++i) all[i] = {symbols[i], {0, 1}};
  return all;
}

// Of a bitwise operation; nothing where it has too many bits that nothing is known of.
std::optional<Term> Event::bit_by_bit(const llvm::BinaryOperator& operation, unsigned element,
                                      unsigned bits) {
  constexpr auto most_unknown = 16;
  const auto all = bits_of(operation, element, bits, 0);
  if (!all || std::count_if(all->begin(), all->end(), [](const Term& bit) {
        return !bit.constant();
      }) > most_unknown)
    return std::nullopt;
  auto sum = zero;
  for (unsigned i = 0; i < bits; ++i)
    sum = terms_.add(sum, terms_.multiply((*all)[i], number(power_of_two(i))));
  return sum;
}

}  // namespace msci::prover
