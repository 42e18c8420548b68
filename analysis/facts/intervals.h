// The intervals between barriers: which accesses may follow a barrier before the next one.
//
// If all threads come to the same barriers in the same iterations, two accesses are unordered only
// if both can follow the same barrier, or the beginning, with no other barrier between.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "analysis/facts/code.h"

namespace msci::prover {

// A barrier, or the beginning of the kernel.
struct Start {
  const llvm::CallInst* barrier = nullptr;  // null: the beginning
};

// The iteration of a loop in which an access follows its start.
struct Iteration {
  enum class Kind {
    outside,   // none: the access is outside of the loop
    any,       // an unknown one
    relative,  // `count` iterations after that of the start
    absolute,  // number `count`, from 0: the loop was entered after the start
    left,      // none: the loop ended with iteration `count` after that of the start
  };
  static constexpr int many = 2;  // as a count: 2 or more
  Kind kind = Kind::outside;
  int count = 0;
  auto operator<=>(const Iteration&) const = default;
};

// A side that the way to an access takes at a branch.
struct Turn {
  const llvm::BasicBlock* from = nullptr;
  const llvm::BasicBlock* to = nullptr;
  auto operator<=>(const Turn&) const = default;
};

// An access behind a start, with the iteration of each loop of the code, by its place in
// Code::all_loops.
struct Following {
  const AccessCall* access = nullptr;
  std::vector<Iteration> iterations;
  // The sides that the way takes at branches which decide about barriers.
  std::set<Turn> turns = {};
  // Whether certainly no barrier lies on the way. Otherwise one may: a barrier that perhaps orders
  // (Order::maybe), or one in an iteration that the turns do not tell.
  bool is_exact = true;
};

// Whether a barrier orders the accesses that a question is about.
enum class Order { never, maybe, always };
using Separates = std::function<Order(const Barrier&)>;

// The beginning, and the barriers that order or may do so.
std::vector<Start> starts(const Code& code, const Separates& separates);
// The recorded accesses that may follow before a barrier that always orders, each once with each
// combination of iterations and turns.
std::vector<Following> following(const Code& code, const Start& start, const Separates& separates);

}  // namespace msci::prover
