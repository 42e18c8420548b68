// Bitwise operations, bit by bit: an index whose bits are spread, joined or in another order.
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Support/KnownBits.h>

#include <algorithm>

#include "analysis/facts/event.h"

namespace msci::prover {
namespace {

constexpr unsigned deepest_operation = 8;

// The number by which a shift moves; nothing where it is not a constant within the number.
std::optional<unsigned> constant_shift(const llvm::BinaryOperator& shift, unsigned element,
                                       unsigned bits) {
  const auto* by = constant_of(*shift.getOperand(1), element);
  if (!by || by->getValue().uge(bits)) return std::nullopt;
  return static_cast<unsigned>(by->getZExtValue());
}

}  // namespace

// ---- bits without terms

BitGraph::Bit BitGraph::add(Node node) {
  nodes_.push_back(std::move(node));
  return static_cast<Bit>(nodes_.size() - 1);
}

std::vector<BitGraph::Bit> BitGraph::of_number(const std::string& text, unsigned width) {
  const std::pair number(text, width);
  auto& bits = numbers_[number];
  while (bits.size() < width)
    bits.push_back(add({.number = number, .place = static_cast<unsigned>(bits.size())}));
  return bits;
}

BitGraph::Bit BitGraph::combined(unsigned opcode, Bit a, Bit b) {
  if (a > b) std::swap(a, b);  // so that only `a` may be a constant, unless both are
  switch (opcode) {
    case llvm::Instruction::And:
      if (a == b || a == zero) return a;
      if (a == one) return b;
      break;
    case llvm::Instruction::Or:
      if (a == b || a == one) return a;
      if (a == zero) return b;
      break;
    default:
      if (a == b) return zero;
      if (a == zero) return b;
      if (a == one && nodes_[b].opcode == opcode && nodes_[b].a == one) return nodes_[b].b;
  }
  const auto [found, is_new] = combined_.try_emplace({opcode, a, b});
  if (is_new) found->second = add({.opcode = opcode, .a = a, .b = b});
  return found->second;
}

Term BitGraph::term(Bit bit) {
  if (is_known(bit)) return number(bit);
  if (const auto known = known_terms_.find(bit); known != known_terms_.end()) return known->second;
  const auto& node = nodes_[bit];
  const auto made = [&]() -> Term {
    if (node.opcode == 0)
      return {script_.bits_of(node.number.first, node.number.second)[node.place], {0, 1}};
    const auto a = term(node.a), b = term(node.b);
    if (node.a == one) return terms_.subtract(a, b);
    const auto sum = terms_.add(a, b);
    if (node.opcode == llvm::Instruction::And)
      return terms_.choose(equal(sum, number(2)), number(1), number(0));
    if (node.opcode == llvm::Instruction::Or)
      return terms_.choose(equal(sum, number(0)), number(0), number(1));
    return terms_.choose(equal(sum, number(1)), number(1), number(0));
  }();
  return known_terms_[bit] = terms_.shared(made);
}

// ---- of values

// The bits that may be set in a number, as far as its operations say.
const llvm::APInt& Event::possible_bits(const llvm::Value& value, unsigned depth) {
  const auto [found, is_new] = possible_bits_.try_emplace({&value, depth});
  if (is_new) {
    script_.add_work(1);
    found->second = make_possible_bits(value, depth);
  }
  return found->second;
}

llvm::APInt Event::make_possible_bits(const llvm::Value& value, unsigned depth) {
  const auto width = value.getType()->getIntegerBitWidth();
  auto possible =
      ~llvm::computeKnownBits(&value, llvm::SimplifyQuery(code_.kernel.getDataLayout())).Zero;
  const auto most = code_.evolution.getUnsignedRangeMax(
      code_.evolution.getSCEV(const_cast<llvm::Value*>(&value)));
  possible &= llvm::APInt::getLowBitsSet(width, most.getActiveBits());
  const auto* operation = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!operation || depth == deepest_operation) return possible;
  const auto of = [&](unsigned operand) {
    return possible_bits(*operation->getOperand(operand), depth + 1);
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

bool Event::have_no_common_bits(const llvm::Value& a, const llvm::Value& b) {
  const auto* type = llvm::dyn_cast<llvm::IntegerType>(a.getType());
  if (!type || type->getBitWidth() > 64) return false;
  return !possible_bits(a, 0).intersects(possible_bits(b, 0));
}

// The bits of a number, from the lowest on; nothing where there are too many.
const std::optional<Event::Bits>& Event::bits_of(const llvm::Value& value, unsigned element,
                                                 unsigned bits, unsigned depth) {
  const auto key = std::tuple(&value, element, depth);
  if (const auto known = known_bits_.find(key); known != known_bits_.end()) return known->second;
  constexpr std::uint64_t steps = 8;
  script_.add_work(steps);
  auto made = make_bits(value, element, bits, depth);
  return known_bits_[key] = std::move(made);
}

std::optional<Event::Bits> Event::make_bits(const llvm::Value& value, unsigned element,
                                            unsigned bits, unsigned depth) {
  constexpr auto zero = BitGraph::zero, one = BitGraph::one;
  Bits all(bits, zero);
  if (const auto* constant = constant_of(value, element)) {
    for (unsigned i = 0; i < bits; ++i)
      if (constant->getValue()[i]) all[i] = one;
    return all;
  }
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (operation && depth < deepest_operation) {
    const auto of = [&](unsigned i) {
      return bits_of(*operation->getOperand(i), element, bits, depth + 1);
    };
    const auto opcode = operation->getOpcode();
    if (operation->isBitwiseLogicOp()) {
      const auto a = of(0), b = of(1);
      if (!a || !b) return std::nullopt;
      for (unsigned i = 0; i < bits; ++i) all[i] = bit_graph_.combined(opcode, (*a)[i], (*b)[i]);
      return all;
    }
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
  const auto of_number = bit_graph_.of_number(known.text, width);
  std::copy(of_number.begin(), of_number.end(), all.begin());
  return all;
}

// Of a bitwise operation; nothing where it has too many bits that nothing is known of.
std::optional<Term> Event::bit_by_bit(const llvm::BinaryOperator& operation, unsigned element,
                                      unsigned bits) {
  constexpr auto most_unknown = 16;
  const auto& all = bits_of(operation, element, bits, 0);
  if (!all || std::count_if(all->begin(), all->end(), [](BitGraph::Bit bit) {
                return !BitGraph::is_known(bit);
              }) > most_unknown)
    return std::nullopt;
  auto sum = number(0);
  for (unsigned i = 0; i < bits; ++i)
    sum = terms_.add(sum, terms_.multiply(bit_graph_.term((*all)[i]), number(power_of_two(i))));
  return sum;
}

}  // namespace msci::prover
