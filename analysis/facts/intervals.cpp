#include "analysis/facts/intervals.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <set>

namespace msci::prover {

std::vector<Start> starts(const Code& code, const Separates& separates) {
  std::vector<Start> all{{}};
  for (const auto& barrier : code.calls.barriers)
    if (separates(barrier) != Order::never) all.push_back({barrier.call});
  return all;
}

namespace {

using Iterations = std::vector<Iteration>;

// Where a path is.
struct Path {
  Iterations iterations;
  std::set<Turn> turns = {};
  bool is_exact = true;
  auto operator<=>(const Path&) const = default;
};

class Walk {
 public:
  Walk(const Code& code, const Separates& separates) : code_(code), loops_(code.all_loops) {
    for (const auto& each : code.calls.accesses)
      if (each.records) accesses_[each.call] = &each;
    for (const auto& each : code.calls.barriers) {
      const auto order = separates(each);
      if (order == Order::never) continue;
      barriers_[each.call] = order;
      deciders_.merge(code.deciders(*each.call->getParent()));
    }
    for (const auto* loop : loops_)
      has_barrier_.push_back(std::any_of(barriers_.begin(), barriers_.end(), [&](const auto& each) {
        return loop->contains(each.first->getParent());
      }));
  }

  std::vector<Following> from(const Start& start) {
    Path now{Iterations(loops_.size())};
    const auto& first =
        start.barrier ? *start.barrier->getNextNode() : code_.kernel.getEntryBlock().front();
    for (std::size_t i = 0; i < loops_.size(); ++i)
      if (loops_[i]->contains(first.getParent()))
        now.iterations[i].kind = Iteration::Kind::relative;
    open_.push_back({&first, now});
    while (!open_.empty()) {
      auto [at, path] = std::move(open_.back());
      open_.pop_back();
      walk(*at, std::move(path));
    }
    return std::move(found_);
  }

 private:
  void walk(const llvm::Instruction& first, Path path) {
    for (const auto* at = &first; at; at = at->getNextNode()) {
      if (const auto known = accesses_.find(at); known != accesses_.end())
        note(*known->second, path);
      const auto barrier = barriers_.find(at);
      if (barrier == barriers_.end()) continue;
      if (barrier->second == Order::always) return;
      path.is_exact = false;
    }
    const auto& block = *first.getParent();
    for (const auto* to : llvm::successors(&block)) {
      auto behind = behind_jump(path, block, *to);
      if (seen_.insert({to, behind}).second) open_.push_back({&to->front(), std::move(behind)});
    }
  }

  Path behind_jump(Path path, const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
    using Kind = Iteration::Kind;
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      const auto& loop = *loops_[i];
      auto& iteration = path.iterations[i];
      if (!loop.contains(&to)) {
        const bool is_last = iteration.kind == Kind::relative || iteration.kind == Kind::left;
        // How often it ran without a barrier is not known.
        if (loop.contains(&from) && has_barrier_[i] && !is_last) path.is_exact = false;
        iteration = is_last && !begins_anew(loop, to) ? Iteration{Kind::left, iteration.count}
                                                      : Iteration{};
        forget_turns(path, loop);
      } else if (loop.getHeader() == &to) {
        forget_turns(path, loop);
        if (!loop.contains(&from))
          iteration = {has_barrier_[i] ? Kind::absolute : Kind::any};
        else if (iteration.kind != Kind::any)
          iteration.count = std::min(iteration.count + 1, Iteration::many);
      }
    }
    if (decides(from, to)) path.turns.insert({&from, &to});
    constexpr std::size_t most_states = 2000;
    if (seen_.size() > most_states && !path.turns.empty()) {
      path.turns.clear();
      path.is_exact = false;
    }
    return path;
  }

  // Turns tell about one iteration only.
  static void forget_turns(Path& path, const llvm::Loop& loop) {
    if (std::erase_if(path.turns, [&](const Turn& turn) { return loop.contains(turn.from); }) > 0)
      path.is_exact = false;
  }

  // Whether the jump is a side of a branch that decides about a barrier. The ways out of loops are
  // told by the iterations.
  bool decides(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
    if (!deciders_.contains(&from)) return false;
    const auto* around = code_.loops.getLoopFor(&from);
    return !around || (around->contains(&to) && !around->isLoopExiting(&from));
  }

  // Whether a jump begins an iteration of a loop around this one, in which it may run again.
  bool begins_anew(const llvm::Loop& loop, const llvm::BasicBlock& to) const {
    const auto* around = code_.loops.getLoopFor(&to);
    return around && around->getHeader() == &to && around->contains(&loop);
  }

  void note(const AccessCall& access, const Path& path) {
    const auto covers = [&](const Following& one, const Following& other) {
      return one.access == other.access && one.iterations == other.iterations &&
             (one.is_exact || !other.is_exact) &&
             std::includes(other.turns.begin(), other.turns.end(), one.turns.begin(),
                           one.turns.end());
    };
    const Following next{&access, path.iterations, path.turns, path.is_exact};
    if (std::any_of(found_.begin(), found_.end(),
                    [&](const Following& each) { return covers(each, next); }))
      return;
    std::erase_if(found_, [&](const Following& each) { return covers(next, each); });
    found_.push_back(next);
  }

  struct State {
    const llvm::Instruction* at;
    Path path;
  };
  const Code& code_;
  const std::vector<const llvm::Loop*>& loops_;
  std::map<const llvm::Instruction*, const AccessCall*> accesses_;
  std::map<const llvm::Instruction*, Order> barriers_;
  std::set<const llvm::BasicBlock*> deciders_;
  std::vector<bool> has_barrier_;  // by loop
  std::vector<State> open_;
  std::set<std::pair<const llvm::BasicBlock*, Path>> seen_;
  std::vector<Following> found_;
};

}  // namespace

std::vector<Following> following(const Code& code, const Start& start, const Separates& separates) {
  return Walk(code, separates).from(start);
}

}  // namespace msci::prover
