#include "prover/analysis/intervals.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <set>

namespace msci::prover {

std::vector<Start> starts(const Code& code, const Separates& separates) {
  std::vector<Start> all{{}};
  for (const auto& barrier : code.calls.barriers)
    if (separates(barrier)) all.push_back({barrier.call});
  return all;
}

namespace {

using Iterations = std::vector<Iteration>;

class Walk {
 public:
  Walk(const Code& code, const Separates& separates) : code_(code), loops_(code.all_loops) {
    for (const auto& each : code.calls.accesses)
      if (each.records) accesses_[each.call] = &each;
    for (const auto& each : code.calls.barriers)
      if (separates(each)) separators_.insert(each.call);
    for (const auto* loop : loops_)
      has_separator_.push_back(
          std::any_of(separators_.begin(), separators_.end(),
                      [&](const auto* each) { return loop->contains(each->getParent()); }));
  }

  std::vector<Following> from(const Start& start) {
    Iterations now(loops_.size());
    const auto& first =
        start.barrier ? *start.barrier->getNextNode() : code_.kernel.getEntryBlock().front();
    for (std::size_t i = 0; i < loops_.size(); ++i)
      if (loops_[i]->contains(first.getParent())) now[i].kind = Iteration::Kind::relative;
    open_.push_back({&first, now});
    while (!open_.empty()) {
      const auto [at, iterations] = open_.back();
      open_.pop_back();
      walk(*at, iterations);
    }
    return std::move(found_);
  }

 private:
  void walk(const llvm::Instruction& first, const Iterations& iterations) {
    const auto* at = &first;
    for (; at && !separators_.contains(at); at = at->getNextNode())
      if (const auto known = accesses_.find(at); known != accesses_.end())
        note(*known->second, iterations);
    if (at) return;
    const auto& block = *first.getParent();
    for (const auto* to : llvm::successors(&block)) {
      auto behind = behind_jump(iterations, block, *to);
      if (seen_.insert({to, behind}).second) open_.push_back({&to->front(), std::move(behind)});
    }
  }

  Iterations behind_jump(Iterations iterations, const llvm::BasicBlock& from,
                         const llvm::BasicBlock& to) const {
    using Kind = Iteration::Kind;
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      auto& iteration = iterations[i];
      if (!loops_[i]->contains(&to)) {
        const bool is_last = iteration.kind == Kind::relative || iteration.kind == Kind::left;
        iteration = is_last && !begins_anew(*loops_[i], to) ? Iteration{Kind::left, iteration.count}
                                                            : Iteration{};
      } else if (loops_[i]->getHeader() == &to) {
        if (!loops_[i]->contains(&from))
          iteration = {has_separator_[i] ? Kind::absolute : Kind::any};
        else if (iteration.kind != Kind::any)
          iteration.count = std::min(iteration.count + 1, Iteration::many);
      }
    }
    return iterations;
  }

  // Whether a jump begins an iteration of a loop around this one, in which it may run again.
  bool begins_anew(const llvm::Loop& loop, const llvm::BasicBlock& to) const {
    const auto* around = code_.loops.getLoopFor(&to);
    return around && around->getHeader() == &to && around->contains(&loop);
  }

  void note(const Access& access, const Iterations& iterations) {
    const bool is_known = std::any_of(found_.begin(), found_.end(), [&](const Following& each) {
      return each.access == &access && each.iterations == iterations;
    });
    if (!is_known) found_.push_back({&access, iterations});
  }

  struct State {
    const llvm::Instruction* at;
    Iterations iterations;
  };
  const Code& code_;
  const std::vector<const llvm::Loop*>& loops_;
  std::map<const llvm::Instruction*, const Access*> accesses_;
  std::set<const llvm::Instruction*> separators_;
  std::vector<bool> has_separator_;  // by loop
  std::vector<State> open_;
  std::set<std::pair<const llvm::BasicBlock*, Iterations>> seen_;
  std::vector<Following> found_;
};

}  // namespace

std::vector<Following> following(const Code& code, const Start& start, const Separates& separates) {
  return Walk(code, separates).from(start);
}

}  // namespace msci::prover
