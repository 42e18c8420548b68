#include "lint/analysis/indices/iterations.h"

#include <algorithm>

#include "lint/analysis/indices/index_form.h"

namespace msci {
namespace {

using Fences = std::set<const clang::Stmt*>;

// `left < right` as `difference < 0`, with the counter once and positive.
struct Test {
  clang::BinaryOperatorKind operation;
  IndexForm difference;
};

std::optional<Test> test_of(const clang::Expr* condition, const LoopCounter& counter,
                            const ThreadFlow& flow) {
  condition = condition->IgnoreParenImpCasts();
  Test test{clang::BO_NE, {}};
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
      binary && binary->isComparisonOp())
    test = {binary->getOpcode(),
            index_form(binary->getLHS(), flow) - index_form(binary->getRHS(), flow)};
  else
    test.difference = index_form(condition, flow);
  const auto& name = counter.itself.terms.rbegin()->first;
  const auto known = test.difference.terms.find(name);
  if (known == test.difference.terms.end() || std::abs(known->second) != 1) return std::nullopt;
  if (known->second > 0) return test;
  const auto operation = test.operation == clang::BO_NE || test.operation == clang::BO_EQ
                             ? test.operation
                             : clang::BinaryOperator::reverseComparisonOp(test.operation);
  return Test{operation, IndexForm{} - test.difference};
}

enum class Round { first, last };

// The round of a loop in which alone a condition is false; nothing without one.
std::optional<Round> left_out(const clang::Expr& condition, const clang::ForStmt& loop,
                              const ThreadFlow& flow) {
  const auto counter = counter_of(loop, flow);
  const auto test = counter ? test_of(&condition, *counter, flow) : std::nullopt;
  if (!test) return std::nullopt;
  const auto from_start = counter->itself - counter->start;
  if (test->difference == from_start &&
      (test->operation == clang::BO_NE || test->operation == clang::BO_GT ||
       test->operation == clang::BO_LT))
    return Round::first;
  if (test->operation == clang::BO_GE && test->difference == from_start - constant_form(1))
    return Round::first;
  const auto goes_on = loop.getCond() ? test_of(loop.getCond(), *counter, flow) : std::nullopt;
  if (goes_on && test->difference == goes_on->difference + counter->step &&
      (test->operation == goes_on->operation || test->operation == clang::BO_NE))
    return Round::last;
  return std::nullopt;
}

// A condition that leads to a fence in every round of a loop but one.
struct RoundFence {
  const clang::ForStmt* loop = nullptr;
  const clang::Expr* condition = nullptr;
  Round without = Round::first;
};

std::optional<RoundFence> round_fence(const clang::Stmt* fence, const ThreadFlow& flow) {
  const auto& guards = flow.guards(fence);
  if (guards.empty() || !guards.back().taken) return std::nullopt;
  const auto* condition = guards.back().condition;
  if (flow.divergence(condition) != Divergence::none) return std::nullopt;
  for (const auto* at = flow.parent(condition); at; at = flow.parent(at)) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(at);
    if (!loop || !flow.contains(loop->getBody(), condition)) continue;
    const auto without = left_out(*condition, *loop, flow);
    return without ? std::optional(RoundFence{loop, condition, *without}) : std::nullopt;
  }
  return std::nullopt;
}

Fences with(Fences fences, const clang::Stmt* more) {
  fences.insert(more);
  return fences;
}

// Whether a way is left where the condition counts as a fence in all rounds but the first.
bool reaches_from_first(const RoundFence& round, const clang::Stmt* from, const clang::Stmt* to,
                        const ThreadFlow& flow, const Fences& fences) {
  const auto* next = round.loop->getInc();
  if (flow.reaches(from, to, with(fences, next))) return true;
  if (!flow.reaches(from, next, fences)) return false;
  const auto later = with(fences, round.condition->IgnoreParens());
  // A loop around it starts this one anew.
  const auto* start = round.loop->getInit();
  if (flow.reaches(next, start, later) && flow.reaches(start, to, fences)) return true;
  return flow.reaches(next, to, with(later, start));
}

// The same for all rounds but the last.
bool reaches_from_last(const RoundFence& round, const clang::Stmt* from, const clang::Stmt* to,
                       const ThreadFlow& flow, const Fences& fences) {
  const auto earlier = with(fences, round.condition->IgnoreParens());
  if (flow.reaches(from, to, earlier)) return true;
  const auto* next = round.loop->getInc();
  if (!flow.reaches(from, next, fences)) return false;
  if (!flow.contains(round.loop->getBody(), to)) return true;
  const auto* start = round.loop->getInit();
  return flow.reaches(next, start, earlier) && flow.reaches(start, to, fences);
}

}  // namespace

std::optional<LoopCounter> counter_of(const clang::ForStmt& loop, const ThreadFlow& flow) {
  const clang::Expr* place = nullptr;
  IndexForm step;
  if (const auto* unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop.getInc());
      unary && unary->isIncrementDecrementOp()) {
    place = unary->getSubExpr();
    step = constant_form(unary->isIncrementOp() ? 1 : -1);
  } else if (const auto* sum = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInc());
             sum && sum->getOpcode() == clang::BO_AddAssign) {
    place = sum->getLHS();
    step = index_form(sum->getRHS(), flow);
  }
  const auto* variable = place ? root_variable(place) : nullptr;
  if (!variable || !variable->getInit() || !flow.contains(loop.getInit(), variable->getInit()))
    return std::nullopt;
  LoopCounter counter{index_form(place, flow), index_form(variable->getInit(), flow), step};
  return counter.itself.atoms().size() == 1 ? std::optional(std::move(counter)) : std::nullopt;
}

bool reaches_unfenced(const clang::Stmt* from, const clang::Stmt* to, const ThreadFlow& flow,
                      const Fences& fences) {
  if (!flow.reaches(from, to, fences)) return false;
  return std::all_of(fences.begin(), fences.end(), [&](const clang::Stmt* fence) {
    const auto round = round_fence(fence, flow);
    if (!round) return true;
    return round->without == Round::first ? reaches_from_first(*round, from, to, flow, fences)
                                          : reaches_from_last(*round, from, to, flow, fences);
  });
}

}  // namespace msci
