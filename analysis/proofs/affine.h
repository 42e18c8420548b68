// Answers to questions about affine numbers, without Z3 and mostly in microseconds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/solver/z3.h"

namespace msci::prover {

struct AffineAnswer {
  Solution solution;
  std::uint64_t steps = 0;  // what it took, as steps of Z3
};

// Decides commands as Z3::solve() does, where it can be sure: the ranges of sums, what divides
// them, and a few choices decide most questions about indices. The values of a solution are the
// least that it finds. An undecided one says nothing about the question.
AffineAnswer solve_affine(std::string_view commands, const std::vector<std::string>& asked);

}  // namespace msci::prover
