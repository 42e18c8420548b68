// Loops: the values of counters, how many iterations there are, and paths through the code.
#include <fmt/format.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

#include "analysis/facts/event.h"

namespace msci::prover {

// A counter that grows by the same number in each iteration.
std::optional<Term> Event::sum(const llvm::PHINode& phi, unsigned bits) {
  auto& evolution = code_.evolution;
  auto* value = const_cast<llvm::PHINode*>(&phi);
  if (bits == 0 || bits > 64 || !evolution.isSCEVable(phi.getType()) ||
      !phi.getType()->isIntegerTy())
    return std::nullopt;
  const auto* expression = evolution.getSCEV(value);
  // One of the phi itself would be made from it again.
  if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(expression);
      unknown && unknown->getValue() == value)
    return std::nullopt;
  return term_of(expression, code_.loops.getLoopFor(phi.getParent()));
}

// None where the expression has a part that is no term, or that belongs to another loop than those
// around `inside`.
std::optional<Term> Event::term_of(const llvm::SCEV* expression, const llvm::Loop* inside) {
  auto& evolution = code_.evolution;
  const auto* type = expression->getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64) return std::nullopt;
  const auto bits = type->getIntegerBitWidth();
  const auto is_around = [&](const llvm::Loop* loop) {
    return !loop || (inside && loop->contains(inside));
  };
  if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(expression))
    return number(constant->getAPInt().getSExtValue());
  if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(expression)) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(unknown->getValue());
    if (instruction && !is_around(code_.loops.getLoopFor(instruction->getParent())))
      return std::nullopt;
    return term(*unknown->getValue());
  }
  if (const auto* cast = llvm::dyn_cast<llvm::SCEVCastExpr>(expression)) {
    const auto from = term_of(cast->getOperand(), inside);
    if (!from) return std::nullopt;
    const auto from_bits = cast->getOperand()->getType()->getIntegerBitWidth();
    if (llvm::isa<llvm::SCEVZeroExtendExpr>(cast)) return terms_.as_unsigned(*from, from_bits);
    if (llvm::isa<llvm::SCEVSignExtendExpr>(cast)) return terms_.as_signed(*from, from_bits);
    if (llvm::isa<llvm::SCEVTruncateExpr>(cast)) return *from;
    return std::nullopt;
  }
  if (const auto* quotient = llvm::dyn_cast<llvm::SCEVUDivExpr>(expression)) {
    const auto a = term_of(quotient->getLHS(), inside), b = term_of(quotient->getRHS(), inside);
    if (!a || !b) return std::nullopt;
    const auto by = terms_.as_unsigned(*b, bits);
    if (by.range.low <= 0) return std::nullopt;
    return terms_.divide(terms_.as_unsigned(*a, bits), by);
  }
  if (const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(expression)) {
    if (!is_around(recurrence->getLoop())) {
      const auto* left = evolution.getSCEVAtScope(expression, inside);
      return left == expression ? std::nullopt : term_of(left, inside);
    }
    if (!recurrence->isAffine()) return std::nullopt;
    const auto start = term_of(recurrence->getStart(), inside);
    const auto step = term_of(recurrence->getStepRecurrence(evolution), inside);
    if (!start || !step) return std::nullopt;
    const auto at = [&](const Term& first, const Term& by) {
      return terms_.add(first, terms_.multiply(by, iteration(*recurrence->getLoop())));
    };
    const auto within = [&](Term value, const Range& limits) {
      if (value.range.is_within(limits)) return value;
      const auto name = script_.define("r", Sort::integer, value.text);
      script_.add_fact(name, fmt::format("(and (<= {} {}) (<= {} {}))", smt_number(limits.low),
                                         name, name, smt_number(limits.high)));
      return Term{name, value.range.met(limits)};
    };
    const auto unsigned_range = evolution.getUnsignedRange(expression);
    const Range limits{static_cast<Wide>(unsigned_range.getUnsignedMin().getZExtValue()),
                       static_cast<Wide>(unsigned_range.getUnsignedMax().getZExtValue())};
    if (recurrence->hasNoUnsignedWrap())
      return within(at(terms_.as_unsigned(*start, bits), terms_.as_unsigned(*step, bits)), limits);
    const auto half = power_of_two(bits - 1);
    if (recurrence->hasNoSignedWrap()) {
      const auto signed_range = evolution.getSignedRange(expression);
      return within(at(terms_.as_signed(*start, bits), terms_.as_signed(*step, bits)),
                    Range{-half, half - 1}.met(
                        {static_cast<Wide>(signed_range.getSignedMin().getSExtValue()),
                         static_cast<Wide>(signed_range.getSignedMax().getSExtValue())}));
    }
    const auto plain = at(*start, terms_.as_signed(*step, bits));
    if (limits == Range::of_bits(bits)) return plain;
    return within(terms_.as_unsigned(plain, bits), limits);
  }
  const auto* several = llvm::dyn_cast<llvm::SCEVNAryExpr>(expression);
  if (!several) return std::nullopt;
  std::optional<Term> all;
  for (const auto* operand : several->operands()) {
    auto next = term_of(operand, inside);
    if (!next) return std::nullopt;
    const auto extreme = [&](bool is_signed, bool wants_least) {
      const auto read = [&](const Term& term) {
        return is_signed ? terms_.as_signed(term, bits) : terms_.as_unsigned(term, bits);
      };
      if (!all) return read(*next);
      const auto a = read(*all), b = read(*next);
      return terms_.choose(wants_least ? less(a, b) : less(b, a), a, b);
    };
    switch (several->getSCEVType()) {
      case llvm::scAddExpr:
        all = all ? terms_.add(*all, *next) : *next;
        break;
      case llvm::scMulExpr:
        all = all ? terms_.multiply(*all, *next) : *next;
        break;
      case llvm::scUMaxExpr:
        all = extreme(false, false);
        break;
      case llvm::scUMinExpr:
      case llvm::scSequentialUMinExpr:
        all = extreme(false, true);
        break;
      case llvm::scSMaxExpr:
        all = extreme(true, false);
        break;
      case llvm::scSMinExpr:
        all = extreme(true, true);
        break;
      default:
        return std::nullopt;
    }
  }
  return all;
}

// ---- paths

std::optional<Term> Event::last_iteration(const llvm::Loop& loop) {
  const auto* last = code_.evolution.getBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(last)) return std::nullopt;
  const auto term = term_of(last, loop.getParentLoop());
  if (!term) return std::nullopt;
  return terms_.as_unsigned(*term, last->getType()->getIntegerBitWidth());
}

// Whether the loop comes to the iteration.
Truth Event::iterates(const llvm::Loop& loop) {
  auto& evolution = code_.evolution;
  const auto k = iteration(loop);
  const auto limit_by = [&](const llvm::SCEV* last) -> std::optional<Truth> {
    if (llvm::isa<llvm::SCEVCouldNotCompute>(last)) return std::nullopt;
    const auto term = term_of(last, loop.getParentLoop());
    if (!term) return std::nullopt;
    return at_most(k, terms_.as_unsigned(*term, last->getType()->getIntegerBitWidth()));
  };
  if (const auto exact = last_iteration(loop)) return at_most(k, *exact);
  // Not all of these iterations need exist.
  const auto name = own(fmt::format("n{}_", code_.number_of(*loop.getHeader())));
  if (script_.declare_named(name, Sort::boolean))
    script_.set_unknown(name, {"the number of iterations of a loop", 0});
  const Truth unknown{name};
  const auto most = limit_by(evolution.getSymbolicMaxBackedgeTakenCount(&loop));
  return unknown && (most ? *most : Truth{"true"});
}

// Behind a loop, the thread has passed all of it; by which exit is not known, if there are several.
Truth Event::leaves_by(const llvm::Loop& loop, const llvm::BasicBlock& from,
                       const llvm::BasicBlock& to) {
  const auto entered = takes(*loop.getLoopPreheader(), *loop.getHeader());
  llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>> exits;
  loop.getExitEdges(exits);
  if (exits.size() == 1) return entered;
  const auto name = own(fmt::format("x{}_{}_", code_.number_of(from), code_.number_of(to)));
  if (script_.declare_named(name, Sort::boolean))
    script_.set_unknown(name, {"the way out of a loop", 0});
  return entered && Truth{name};
}

Truth Event::takes(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  const llvm::Loop* left = nullptr;
  for (const auto* loop = code_.loops.getLoopFor(&from); loop && !loop->contains(&to);
       loop = loop->getParentLoop())
    left = loop;
  if (left) return leaves_by(*left, from, to);
  const auto comes = reaches(from);
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from.getTerminator());
  if (!branch || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return comes;
  const auto condition = truth(*branch->getCondition());
  return terms_.shared(comes && (branch->getSuccessor(0) == &to ? condition : !condition));
}

Truth Event::reaches(const llvm::BasicBlock& block) {
  if (const auto known = known_reaches_.find(&block); known != known_reaches_.end())
    return known->second;
  Truth reached{"false"};
  if (&block == &block.getParent()->getEntryBlock()) {
    reached = {"true"};
  } else if (code_.loops.isLoopHeader(&block)) {
    const auto& loop = *code_.loops.getLoopFor(&block);
    reached = takes(*loop.getLoopPreheader(), block) && iterates(loop);
  } else {
    for (const auto* from : llvm::predecessors(&block)) {
      if (!code_.dominators.isReachableFromEntry(from)) continue;
      reached = reached || takes(*from, block);
    }
  }
  // Where both sides of a branch meet again, all that came to the branch comes here.
  const auto* node = code_.dominators.getNode(&block);
  if (const auto* top = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr)
    if (code_.loops.getLoopFor(top) == code_.loops.getLoopFor(&block) &&
        code_.post_dominators.dominates(&block, top) && !code_.loops.isLoopHeader(&block))
      reached = reaches(*top);
  return known_reaches_[&block] = terms_.shared(reached);
}

}  // namespace msci::prover
