// Which accesses may follow a barrier before the next one.
//
// If all threads come to the same barriers in the same iterations, two accesses are unordered only
// if both can follow one barrier, or the beginning, without another between.
#pragma once

#include <functional>
#include <vector>

#include "prover/analysis/code.h"

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

// An access behind a start, with the iteration of each loop of the code, by its place in
// Code::all_loops.
struct Following {
  const Access* access = nullptr;
  std::vector<Iteration> iterations;
};

// Whether a barrier orders what the question is about.
using Separates = std::function<bool(const Barrier&)>;

std::vector<Start> starts(const Code& code, const Separates& separates);
// The recorded accesses that may follow, each once with each combination of iterations.
std::vector<Following> following(const Code& code, const Start& start, const Separates& separates);

}  // namespace msci::prover
