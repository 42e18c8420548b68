// Which accesses may follow a barrier before the next one.
//
// If all threads come to the same barriers in the same iterations, two accesses are unordered only
// if both can follow one barrier, or the beginning, without another between.
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

// Which iteration of a loop it is.
struct Iteration {
  enum class Kind {
    outside,   // of the loop
    any,       // nothing is known
    relative,  // so many after that of the start
    absolute,  // the number itself: the loop was entered after the start
    left,      // it was the last one, so many after that of the start
  };
  static constexpr int many = 2;  // or more
  Kind kind = Kind::outside;
  int count = 0;
  auto operator<=>(const Iteration&) const = default;
};

// A side of a branch, in this iteration of the loops around it.
struct Turn {
  const llvm::BasicBlock* from = nullptr;
  const llvm::BasicBlock* to = nullptr;
  auto operator<=>(const Turn&) const = default;
};

// An access behind a start, with the iteration of each loop of the code, by its place in
// Code::all_loops.
struct Following {
  const Access* access = nullptr;
  std::vector<Iteration> iterations;
  // The sides on which the way to it leaves out barriers.
  std::set<Turn> turns = {};
  // Otherwise there may be a barrier on the way after all: one that may order, or one of an
  // iteration that the turns do not tell.
  bool is_exact = true;
};

// Whether a barrier orders what the question is about.
enum class Order { never, maybe, always };
using Separates = std::function<Order(const Barrier&)>;

// The beginning, and the barriers that order or may do so.
std::vector<Start> starts(const Code& code, const Separates& separates);
// The recorded accesses that may follow before a barrier that always orders, each once with each
// combination of iterations and turns.
std::vector<Following> following(const Code& code, const Start& start, const Separates& separates);

}  // namespace msci::prover
