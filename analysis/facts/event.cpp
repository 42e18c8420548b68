#include "analysis/facts/event.h"

#include <fmt/format.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "analysis/facts/specialise_kernel.h"

namespace msci::prover {

Event::Event(const Code& code, Script& script, std::string name)
    : Values(script), code_(code), name_(std::move(name)) {}

// ---- positions

Term Event::position(const char* prefix, unsigned dimension, unsigned count) {
  if (count <= 1) return number(0);
  const auto name = own(fmt::format("{}{}", prefix, "xyz"[dimension]));
  if (script_.declare_named(name, Sort::integer)) {
    script_.add_fact(name, fmt::format("(and (<= 0 {}) (< {} {}))", name, name, count));
  }
  return {name, {0, Wide{count} - 1}};
}

Term Event::local(unsigned dimension) {
  return position("l", dimension, side(code_.facts.threadgroup, dimension));
}

Term Event::group(unsigned dimension) {
  return position("g", dimension, groups(code_.facts, dimension));
}

Truth Event::exists() {
  Truth all{"true"};
  for (unsigned d = 0; d < 3; ++d) {
    if (is_open(code_.facts, d)) {
      const auto threads = number(side(code_.facts.threadgroup, d));
      const auto at = terms_.add(terms_.multiply(group(d), threads), local(d));
      all = all && less(at, sized(code_.facts.all_sizes->grid[d]));
      continue;
    }
    const auto last = last_threads(code_.facts, d);
    if (last == side(code_.facts.threadgroup, d)) continue;
    const auto in_last = equal(group(d), number(groups(code_.facts, d) - 1));
    all = all && (!in_last || less(local(d), number(last)));
  }
  return all;
}

Term Event::size() {
  const auto& sizes = *code_.facts.all_sizes;
  const std::string name = "size_";
  if (script_.declare_named(name, Sort::integer))
    script_.add_fact(
        name, fmt::format("(and (<= {} {}) (<= {} {}))", sizes.first, name, name, sizes.last));
  return {name, {sizes.first, sizes.last}};
}

Term Event::sized(const SizedNumber& sized) {
  const auto value =
      terms_.add(terms_.multiply(number(sized.factor), size()), number(sized.constant));
  if (sized.divisor == 1) return value;
  return terms_.multiply(terms_.divide(value, number(sized.divisor)), number(sized.multiplier));
}

Term Event::bytes_of(unsigned object) {
  const auto& sizes = code_.facts.all_sizes;
  return sizes && object < sizes->bytes.size() ? sized(sizes->bytes[object])
                                               : number(Wide(code_.bytes_of(object)));
}

// The sides of the thread's threadgroup, which may be a smaller one at the edge of the grid.
Term Event::index() {
  const auto threads = [&](unsigned d) {
    const auto all = number(side(code_.facts.threadgroup, d));
    if (is_open(code_.facts, d)) {
      const auto last = terms_.subtract(sized(code_.facts.all_sizes->grid[d]), number(1));
      const auto in_last = equal(group(d), terms_.divide(last, all));
      return terms_.choose(in_last, terms_.add(terms_.remainder(last, all), number(1)), all);
    }
    const auto in_last = equal(group(d), number(groups(code_.facts, d) - 1));
    return terms_.choose(in_last, number(last_threads(code_.facts, d)), all);
  };
  auto rows = terms_.add(terms_.multiply(local(2), threads(1)), local(1));
  return terms_.add(terms_.multiply(rows, threads(0)), local(0));
}

Term Event::iteration(const llvm::Loop& loop) {
  const auto& all = code_.all_loops;
  const auto name =
      own(fmt::format("k{}_", std::find(all.begin(), all.end(), &loop) - all.begin()));
  const auto most = code_.evolution.getSmallConstantMaxTripCount(&loop);
  if (script_.declare_named(name, Sort::integer)) {
    script_.add_fact(name, fmt::format("(<= 0 {})", name));
    if (most > 0) script_.add_fact(name, fmt::format("(< {} {})", name, most));
  }
  return {name, {0, most > 0 ? Wide{most} - 1 : unbounded}};
}

// ---- values

Term Event::constant(const llvm::APInt& value) const {
  return value.getBitWidth() == 1 ? number(value.isOne()) : number(value.getSExtValue());
}

Term Event::of_binary(const llvm::BinaryOperator& operation, unsigned element, unsigned bits) {
  using llvm::Instruction;
  const auto& x = *operation.getOperand(0);
  const auto& y = *operation.getOperand(1);
  const auto a = term(x, element), b = term(y, element);
  // Remainders say one run of bits best, unless it lies inside of a number of few bits, as of a
  // lane.
  const auto bitwise = [&](auto by_remainders) {
    constexpr Range few_bits{0, 63};
    const auto* mask = constant_of(y, element);
    const auto* inner = llvm::dyn_cast<llvm::BinaryOperator>(&x);
    const bool is_simple =
        mask && mask->getBitWidth() <= 64 &&
        !(inner && inner->isShift() && a.range.is_within(few_bits)) &&
        (mask->getValue().isShiftedMask() || (~mask->getValue()).isShiftedMask());
    std::optional<Term> made;
    if (!is_simple) made = bit_by_bit(operation, element, bits);
    if (!made) made = (terms_.*by_remainders)(a, b, bits);
    return made ? *made : unknown_bits(operation, a, b, element, bits);
  };
  const bool is_sum = operation.isBitwiseLogicOp() && have_no_common_bits(x, y);
  switch (operation.getOpcode()) {
    case Instruction::Add:
      return terms_.add(a, b);
    case Instruction::Sub:
      // How far a pointer has gone from another, which loops may move.
      if (llvm::isa<llvm::PtrToIntInst>(x) && llvm::isa<llvm::PtrToIntInst>(y))
        if (const auto distance =
                term_of(code_.evolution.getSCEV(const_cast<llvm::BinaryOperator*>(&operation)),
                        code_.loops.getLoopFor(operation.getParent())))
          return *distance;
      return terms_.subtract(a, b);
    case Instruction::Mul:
      if (a.constant() || b.constant()) return terms_.multiply(a, b);
      // Of two readings of a number, the one that is smaller makes the product simpler.
      return terms_.multiply(a.range.is_within({-power_of_two(bits - 1), power_of_two(bits)})
                                 ? a
                                 : terms_.as_unsigned(a, bits),
                             b.range.is_within({-power_of_two(bits - 1), power_of_two(bits)})
                                 ? b
                                 : terms_.as_unsigned(b, bits));
    case Instruction::Or:
      if (is_sum || llvm::cast<llvm::PossiblyDisjointInst>(operation).isDisjoint())
        return terms_.add(a, b);
      return bitwise(&Terms::disjunction);
    case Instruction::And:
      return is_sum ? number(0) : bitwise(&Terms::conjunction);
    case Instruction::Xor:
      return is_sum ? terms_.add(a, b) : bitwise(&Terms::difference);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return of_shift(operation, element, bits);
    case Instruction::UDiv:
    case Instruction::URem:
    case Instruction::SDiv:
    case Instruction::SRem:
      return of_quotient(operation, element, bits);
    default:
      return unknown_term(operation, element, bits);
  }
}

// By a constant, or by one of a few numbers.
Term Event::of_shift(const llvm::BinaryOperator& operation, unsigned element, unsigned bits) {
  const auto a = term(*operation.getOperand(0), element);
  const auto b = term(*operation.getOperand(1), element);
  const auto shifted = [&](unsigned by) {
    const auto factor = number(power_of_two(by));
    if (operation.getOpcode() == llvm::Instruction::Shl) return terms_.multiply(a, factor);
    if (operation.getOpcode() == llvm::Instruction::LShr)
      return terms_.divide(terms_.as_unsigned(a, bits), factor);
    return terms_.divide(terms_.as_signed(a, bits), factor);
  };
  const Range possible{0, Wide{bits} - 1};
  if (const auto by = b.constant())
    if (*by >= 0 && *by < bits) return shifted(static_cast<unsigned>(*by));
  if (!b.range.is_within(possible) || b.constant()) return unknown_term(operation, element, bits);
  auto chosen = shifted(static_cast<unsigned>(b.range.high));
  for (auto by = b.range.high - 1; by >= b.range.low; --by)
    chosen = terms_.choose(equal(b, number(by)), shifted(static_cast<unsigned>(by)), chosen);
  return chosen;
}

Term Event::of_quotient(const llvm::BinaryOperator& operation, unsigned element, unsigned bits) {
  using llvm::Instruction;
  const auto opcode = operation.getOpcode();
  const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  const bool is_remainder = opcode == Instruction::URem || opcode == Instruction::SRem;
  const auto read = [&](const llvm::Value& value) {
    const auto term = this->term(value, element);
    return is_signed ? terms_.as_signed(term, bits) : terms_.as_unsigned(term, bits);
  };
  const auto a = read(*operation.getOperand(0)), b = read(*operation.getOperand(1));
  if (b.range.low <= 0) {
    if (is_signed || b.range.high <= 0) return unknown_term(operation, element, bits);
    // Where the divisor is zero, the quotient is any number.
    auto positive = b;
    positive.range.low = 1;
    return terms_.choose(less(number(0), b),
                         is_remainder ? terms_.remainder(a, positive) : terms_.divide(a, positive),
                         unknown_term(operation, element, bits));
  }
  const auto of_magnitude = [&](const Term& magnitude) {
    return is_remainder ? terms_.remainder(magnitude, b) : terms_.divide(magnitude, b);
  };
  if (a.range.low >= 0) return of_magnitude(a);
  // Towards zero.
  auto negated = terms_.subtract(number(0), a);
  auto positive = a;
  negated.range.low = positive.range.low = 0;
  return terms_.choose(less(a, number(0)), terms_.subtract(number(0), of_magnitude(negated)),
                       of_magnitude(positive));
}

Term Event::of_cast(const llvm::CastInst& cast, unsigned element, unsigned bits) {
  const auto& from = *cast.getOperand(0);
  const auto from_bits = from.getType()->getScalarSizeInBits();
  const bool is_integer = from.getType()->getScalarType()->isIntegerTy() && from_bits <= 64;
  switch (cast.getOpcode()) {
    case llvm::Instruction::ZExt:
      if (is_integer) return terms_.as_unsigned(term(from, element), from_bits);
      break;
    case llvm::Instruction::SExt:
      if (is_integer && from_bits == 1)
        return terms_.choose(truth(from, element), number(-1), number(0));
      if (is_integer) return terms_.as_signed(term(from, element), from_bits);
      break;
    case llvm::Instruction::Trunc:
      if (is_integer) return term(from, element);  // equal modulo the smaller power
      break;
    default:
      break;
  }
  return unknown_term(cast, element, bits);
}

Term Event::of_call(const llvm::CallInst& call, unsigned element, unsigned bits) {
  if (const auto* offset = bounded_offset(call)) return term(*offset);
  const auto name = callee_of(call);
  for (unsigned d = 0; d < 3; ++d) {
    if (name == local_position + std::to_string(d)) return local(d);
    if (name == group_position + std::to_string(d)) return group(d);
  }
  if (name == size_of_launch) return size();
  if (name == "msci.simd.lane") return terms_.remainder(index(), number(32));
  if (name == "msci.quad.lane") return terms_.remainder(index(), number(4));
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  if (!intrinsic || call.arg_size() < 1) return unknown_term(call, element, bits);
  const auto x = term(*call.getArgOperand(0), element);
  const auto y = call.arg_size() > 1 && call.getArgOperand(1)->getType() == call.getType()
                     ? term(*call.getArgOperand(1), element)
                     : number(0);
  const auto extreme = [&](bool is_signed, bool wants_least) {
    const auto a = is_signed ? terms_.as_signed(x, bits) : terms_.as_unsigned(x, bits);
    const auto b = is_signed ? terms_.as_signed(y, bits) : terms_.as_unsigned(y, bits);
    auto chosen = terms_.choose(wants_least ? less(a, b) : less(b, a), a, b);
    chosen.range =
        wants_least
            ? Range{std::min(a.range.low, b.range.low), std::min(a.range.high, b.range.high)}
            : Range{std::max(a.range.low, b.range.low), std::max(a.range.high, b.range.high)};
    return chosen;
  };
  switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::umin:
      return extreme(false, true);
    case llvm::Intrinsic::umax:
      return extreme(false, false);
    case llvm::Intrinsic::smin:
      return extreme(true, true);
    case llvm::Intrinsic::smax:
      return extreme(true, false);
    case llvm::Intrinsic::abs: {
      const auto a = terms_.as_signed(x, bits);
      return terms_.choose(less(a, number(0)), terms_.subtract(number(0), a), a);
    }
    case llvm::Intrinsic::bitreverse: {
      constexpr unsigned most_bits = 16;
      const auto a = terms_.as_unsigned(x, bits);
      if (a.range.high >= power_of_two(most_bits)) return unknown_term(call, element, bits);
      unsigned width = 0;
      while (power_of_two(width) <= a.range.high) ++width;
      return terms_.multiply(terms_.reversed(a, width), number(power_of_two(bits - width)));
    }
    case llvm::Intrinsic::usub_sat: {
      const auto a = terms_.as_unsigned(x, bits), b = terms_.as_unsigned(y, bits);
      auto rest = terms_.subtract(a, b);
      rest.range.low = std::max(rest.range.low, Wide{0});
      return terms_.choose(less(a, b), number(0), rest);
    }
    default:
      return unknown_term(call, element, bits);
  }
}

Term Event::of_load(const llvm::LoadInst& load, unsigned element, unsigned bits) {
  const auto object = code_.object_of(*load.getPointerOperand());
  if (!object || code_.is_threadgroup(*object) || code_.is_written(*object) || load.isAtomic())
    return unknown_term(load, element, bits);
  const auto place = place_of(load, element, *object);
  if (place.empty()) return unknown_term(load, element, bits);
  const auto value = script_.define("m", Sort::integer, place);
  auto range = Range::of_bits(bits);
  if (const auto* known = load.getMetadata(llvm::LLVMContext::MD_range);
      known && !load.getType()->isVectorTy()) {
    const auto limits = llvm::getConstantRangeFromMetadata(*known);
    range = {static_cast<Wide>(limits.getUnsignedMin().getZExtValue()),
             static_cast<Wide>(limits.getUnsignedMax().getZExtValue())};
  }
  script_.add_fact(value, fmt::format("(and (<= {} {}) (<= {} {}))", smt_number(range.low), value,
                                      value, smt_number(range.high)));
  script_.set_unknown(value, why(load));
  return {value, range};
}

// A merge of paths has the value of the one that was taken.
Term Event::of_phi(const llvm::PHINode& phi, unsigned element, unsigned bits) {
  const auto& block = *phi.getParent();
  if (code_.loops.isLoopHeader(&block)) {
    if (const auto made = sum(phi, bits)) return *made;
    return unknown_term(phi, element, bits);
  }
  std::optional<Term> chosen;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const auto& from = *phi.getIncomingBlock(i);
    if (code_.loops.getLoopFor(&from) != code_.loops.getLoopFor(&block)) {
      // Behind a loop: its last iteration decides, which is not this event's.
      const auto* value = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(i));
      const auto* around = value ? code_.loops.getLoopFor(value->getParent()) : nullptr;
      if (around && !around->contains(&block)) {
        auto& evolution = code_.evolution;
        if (phi.getNumIncomingValues() == 1 && evolution.isSCEVable(phi.getType()))
          if (const auto last = term_of(
                  evolution.getSCEVAtScope(phi.getIncomingValue(i), code_.loops.getLoopFor(&block)),
                  code_.loops.getLoopFor(&block)))
            return *last;
        return unknown_term(phi, element, bits);
      }
    }
  }
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const auto value = term(*phi.getIncomingValue(i), element);
    chosen = chosen ? terms_.choose(takes(*phi.getIncomingBlock(i), block), value, *chosen) : value;
  }
  return *chosen;
}

}  // namespace msci::prover
