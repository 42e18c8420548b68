#include <fmt/format.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <array>
#include <bit>

#include "analysis/coverage/passes/solve_outcomes.h"

namespace msci {
namespace {

using llvm::Instruction;
using llvm::Value;
using prover::bit_vector;
using prover::compare;
using prover::equal;
using prover::Sort;
using prover::Term;
using prover::Truth;

constexpr unsigned most_bits = 64;
constexpr unsigned word_bits = 32;

Term word(std::uint64_t value) { return bit_vector(value, word_bits); }

Truth is_set(const Term& bit) { return equal(bit, bit_vector(1, 1)); }

// SMT-LIB names relations and operations as LLVM does.
Truth compared(llvm::CmpInst::Predicate predicate, const Term& a, const Term& b) {
  if (predicate == llvm::CmpInst::ICMP_EQ) return equal(a, b);
  if (predicate == llvm::CmpInst::ICMP_NE) return !equal(a, b);
  return compare("bv" + llvm::CmpInst::getPredicateName(predicate).str(), a, b);
}

// How many integers of up to 64 bits a value has.
unsigned elements_in(const Value& value) {
  const auto* type = value.getType();
  if (!type->isIntOrIntVectorTy() || type->getScalarSizeInBits() > most_bits) return 0;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

std::string name_of(const LaunchNumber& number) {
  static constexpr std::array kinds{"grid", "threadgroup", "argument", "size"};
  return fmt::format("{}_{}_{}", kinds.at(static_cast<std::size_t>(number.kind)), number.index,
                     number.byte);
}

}  // namespace

OutcomeFormulas::OutcomeFormulas(llvm::Function& kernel, const KernelSignature& signature,
                                 const std::vector<LaunchFact>& facts, const AllowedSizes& sizes,
                                 prover::Script& script)
    : Values(script), host_(kernel, signature), dominators_(kernel), loops_(dominators_) {
  for (const auto& fact : facts) state(fact);
  state_sizes(sizes);
  for (auto& instruction : llvm::instructions(kernel))
    if (const auto* holds = llvm::dyn_cast<llvm::AssumeInst>(&instruction))
      assumptions_.push_back(holds);
}

std::string OutcomeFormulas::value_of(std::size_t parameter) {
  return name_of({LaunchNumber::Kind::size, static_cast<unsigned>(parameter), 0});
}

Truth OutcomeFormulas::formula_of(const llvm::CallInst& call) {
  const auto& block = *call.getParent();
  return truth(*call.getArgOperand(1)) && branches_to(block) && assumed_in(block);
}

Truth OutcomeFormulas::within(std::uint64_t volume, std::uint32_t steps) {
  auto all = usual_ && sides_within(volume);
  if (steps_) all = all && compare("bvule", *steps_, word(steps));
  return all;
}

// No side is longer than the volume, nor is a product of sides, so that each factor needs the bits
// of the volume only. Z3 takes several times as long for products of 64 bits.
Truth OutcomeFormulas::sides_within(std::uint64_t volume) {
  const auto bits = static_cast<unsigned>(std::bit_width(volume));
  Truth all{"true"};
  std::optional<Term> product;
  for (const auto& side : sides_) {
    if (bits <= word_bits) all = all && compare("bvule", side, word(volume));
    const auto factor = terms_.resized(side, bits);
    if (!product) {
      product = factor;
      continue;
    }
    const auto exact =
        terms_.apply("bvmul", terms_.resized(*product, 2 * bits), terms_.resized(factor, 2 * bits));
    all = all && compare("bvule", exact, bit_vector(volume, 2 * bits));
    product = terms_.resized(exact, bits);
  }
  return all;
}

Truth OutcomeFormulas::without_sides_of_one() const {
  Truth all{"true"};
  for (const auto& side : sides_) all = all && !equal(side, word(1));
  return all;
}

// ---- the numbers of the launch

Term OutcomeFormulas::declare(const std::string& name, unsigned bits) {
  script_.declare_named(name, Sort{bits});
  return {.text = name, .bits = bits};
}

Term OutcomeFormulas::symbol_of(const LaunchNumber& number) {
  const auto symbol = declare(name_of(number), word_bits);
  if (number.kind != Kind::threadgroup) launch_.insert(symbol.text);
  return symbol;
}

void OutcomeFormulas::state(const LaunchFact& fact) {
  const auto symbol = symbol_of(fact.number);
  const auto hold = [&](const Truth& truth) { script_.add_fact(symbol.text, truth.text); };
  if (fact.constant) return hold(equal(symbol, word(*fact.constant)));
  if (fact.most >= launch_number_limit) return;
  hold(compare("bvult", symbol, word(launch_number_limit)));
  if (fact.least > 0)
    hold(fact.number.kind == Kind::threadgroup ? compare("bvule", word(fact.least), symbol)
                                               : !equal(symbol, word(0)));
  if (fact.same_as) hold(equal(symbol, symbol_of(*fact.same_as)));
  if (fact.below)
    hold(compare("bvult", symbol, terms_.apply("bvmul", symbol_of(*fact.below), word(fact.times))));
  if (fact.covers) {
    const auto rest = terms_.apply("bvsub", symbol, symbol_of(*fact.covers));
    hold(compare("bvult", rest, word(fact.multiple)));
  }
  if (fact.multiple > 1) hold(equal(terms_.apply("bvurem", symbol, word(fact.multiple)), word(0)));
  for (const auto* factors : {&fact.product_of, &fact.of_sizes}) {
    if (factors->empty()) continue;
    auto product = bit_vector(1, most_bits);
    for (const auto& factor : *factors)
      product = terms_.apply("bvmul", product, terms_.resized(symbol_of(factor), most_bits));
    hold(equal(terms_.resized(symbol, most_bits), product));
  }
}

void OutcomeFormulas::state_sizes(const AllowedSizes& sizes) {
  for (std::size_t i = 0; i < sizes.parameters.size(); ++i) {
    const auto& range = sizes.parameters[i];
    const auto symbol = symbol_of({Kind::size, static_cast<unsigned>(i), 0});
    const auto hold = [&](const Truth& truth) { script_.add_fact(symbol.text, truth.text); };
    if (range.least > 0) hold(compare("bvule", word(range.least), symbol));
    if (range.is_limited) hold(compare("bvule", symbol, word(range.most)));
    usual_ = usual_ && compare("bvule", word(range.least), symbol) &&
             compare("bvule", symbol, word(range.most));
    if (range.multiple > 1)
      hold(equal(terms_.apply("bvurem", symbol, word(range.multiple)), word(0)));
    if (range.is_power_of_two)
      hold(equal(terms_.apply("bvand", symbol, terms_.apply("bvsub", symbol, word(1))), word(0)));
    if (range.counts_steps)
      steps_ = symbol;
    else
      sides_.push_back(symbol);
  }
}

// ---- values

Term OutcomeFormulas::constant(const llvm::APInt& value) const {
  return bit_vector(value.getZExtValue(), value.getBitWidth());
}

Term OutcomeFormulas::anything(unsigned bits) {
  return {.text = script_.declare("u", Sort{bits}), .bits = bits};
}

void OutcomeFormulas::set(Known& known, const Key& key, const Term& term) {
  if (term.bits == 1)
    known.truths[key] = is_set(term);
  else
    known.terms[key] = term;
}

Term OutcomeFormulas::unknown_term(const Value& value, unsigned element, unsigned bits) {
  const auto host = host_.number_of(value, element);
  return host ? symbol_of(*host) : anything(bits);
}

Truth OutcomeFormulas::unknown_truth(const Value& /*value*/, unsigned /*element*/) {
  return is_set(anything(1));
}

Term OutcomeFormulas::of_binary(const llvm::BinaryOperator& operation, unsigned element,
                                unsigned bits) {
  const auto name = std::string("bv") + operation.getOpcodeName();
  const auto b = term(*operation.getOperand(1), element);
  const auto result = terms_.apply(name, term(*operation.getOperand(0), element), b);
  if (!operation.isIntDivRem() || b.constant()) return result;
  return terms_.choose(equal(b, bit_vector(0, bits)), anything(bits), result);
}

Term OutcomeFormulas::of_cast(const llvm::CastInst& cast, unsigned element, unsigned bits) {
  const auto& from = *cast.getOperand(0);
  if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst>(cast) ||
      from.getType()->getScalarSizeInBits() > most_bits)
    return anything(bits);
  return terms_.resized(term(from, element), bits, llvm::isa<llvm::SExtInst>(cast));
}

Term OutcomeFormulas::of_call(const llvm::CallInst& call, unsigned element, unsigned bits) {
  const auto* callee = call.getCalledFunction();
  if (!callee) return anything(bits);
  if (call.arg_size() == 1 && callee->getName().starts_with("get_") && bits == most_bits)
    if (const auto* axis = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)))
      return of_position(callee->getName(), static_cast<unsigned>(axis->getZExtValue()));
  const auto* extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&call);
  if (!extreme) return anything(bits);
  const auto a = term(*extreme->getLHS(), element), b = term(*extreme->getRHS(), element);
  return terms_.choose(compared(extreme->getPredicate(), a, b), a, b);
}

Truth OutcomeFormulas::of_comparison(const llvm::ICmpInst& comparison, unsigned element,
                                     unsigned /*bits*/) {
  return compared(comparison.getPredicate(), term(*comparison.getOperand(0), element),
                  term(*comparison.getOperand(1), element));
}

// The value of a loop is the first one, or one for which the loop went on: the condition at its end
// then held for it.
Term OutcomeFormulas::of_loop_phi(const llvm::PHINode& phi, unsigned element, unsigned bits) {
  const auto symbol = anything(bits);
  set(known_, {&phi, element}, symbol);
  const auto& header = *phi.getParent();
  const auto& loop = *loops_.getLoopFor(&header);
  const auto* latch = loop.getLoopLatch();
  const auto* before = loop.getLoopPredecessor();
  if (!latch || !before) return symbol;
  const auto first = equal(symbol, term(*phi.getIncomingValueForBlock(before), element));
  // Of the iteration before, only what the next one begins with is known.
  Known then = known_;
  const auto varies = [&](const auto& each) { return !loop.isLoopInvariant(each.first.first); };
  std::erase_if(then.terms, varies);
  std::erase_if(then.truths, varies);
  for (const auto& each : header.phis())
    for (unsigned i = 0; i < elements_in(each); ++i)
      set(then, {&each, i}, anything(each.getType()->getScalarSizeInBits()));
  set(then, {phi.getIncomingValueForBlock(latch), element}, symbol);
  std::swap(known_, then);
  const auto went_on = edge(*latch, header);
  std::swap(known_, then);
  script_.add_fact(symbol.text, (first || went_on).text);
  return symbol;
}

// A choice between the values of the blocks before, by the branches that lead here.
Term OutcomeFormulas::of_phi(const llvm::PHINode& phi, unsigned element, unsigned bits) {
  if (loops_.isLoopHeader(phi.getParent())) return of_loop_phi(phi, element, bits);
  const auto symbol = anything(bits);
  Truth choice{"false"}, comes{"false"};
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const auto taken = edge(*phi.getIncomingBlock(i), *phi.getParent());
    choice = choice || (taken && equal(symbol, term(*phi.getIncomingValue(i), element)));
    comes = comes || taken;
  }
  script_.add_fact(symbol.text, (choice || !comes).text);
  return symbol;
}

Truth OutcomeFormulas::truth_of_phi(const llvm::PHINode& phi, unsigned element) {
  return is_set(of_phi(phi, element, 1));
}

// Of a thread in its grid and in its threadgroup, and how they belong together. The place where
// part of a grid begins, as a device may run one, is taken for none.
Term OutcomeFormulas::of_position(llvm::StringRef name, unsigned dimension) {
  if (name == "get_global_offset") return bit_vector(0, most_bits);
  const auto axis = [&](const char* prefix) { return fmt::format("{}_{}", prefix, dimension); };
  const bool is_new = !script_.has(axis("thread"));
  const auto thread = declare(axis("thread"), most_bits), local = declare(axis("local"), most_bits),
             group = declare(axis("group"), most_bits), width = declare(axis("width"), most_bits);
  if (is_new) {
    const auto grid = terms_.resized(symbol_of({Kind::grid, dimension, 0}), most_bits);
    const auto most = terms_.resized(symbol_of({Kind::threadgroup, dimension, 0}), most_bits);
    const auto first = terms_.apply("bvmul", group, most);
    for (const auto& holds : {compare("bvult", thread, grid), compare("bvult", local, width),
                              compare("bvule", width, most), compare("bvule", group, thread),
                              equal(thread, terms_.apply("bvadd", first, local))})
      script_.add_fact(thread.text, holds.text);
    for (const auto* each : {&thread, &local, &group}) launch_.insert(each->text);
  }
  if (name == "get_global_id") return thread;
  if (name == "get_local_id") return local;
  if (name == "get_group_id") return group;
  if (name == "get_local_size") return width;
  return anything(most_bits);
}

// ---- paths

Truth OutcomeFormulas::edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  const auto* end = from.getTerminator();
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
    if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      return {"true"};
    const auto holds = truth(*branch->getCondition());
    return branch->getSuccessor(0) == &to ? holds : !holds;
  }
  const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end);
  if (!choice || choice->getCondition()->getType()->getScalarSizeInBits() > most_bits)
    return {"true"};
  const auto value = term(*choice->getCondition());
  Truth here{"false"}, elsewhere{"false"};
  for (const auto& each : choice->cases()) {
    auto& way = each.getCaseSuccessor() == &to ? here : elsewhere;
    way = way || equal(value, term(*each.getCaseValue()));
  }
  return choice->getDefaultDest() == &to ? !elsewhere : here;
}

Truth OutcomeFormulas::branches_to(const llvm::BasicBlock& block) {
  Truth path{"true"};
  for (const auto* node = dominators_.getNode(&block); node && node->getIDom();
       node = node->getIDom()) {
    const auto& before = *node->getIDom()->getBlock();
    for (const auto* next : llvm::successors(&before))
      if (dominators_.dominates(llvm::BasicBlockEdge(&before, next), &block))
        path = path && edge(before, *next);
  }
  return path;
}

Truth OutcomeFormulas::assumed_in(const llvm::BasicBlock& block) {
  Truth assumed{"true"};
  for (const auto* holds : assumptions_)
    if (dominators_.dominates(holds->getParent(), &block))
      assumed = assumed && truth(*holds->getArgOperand(0));
  return assumed;
}

}  // namespace msci
