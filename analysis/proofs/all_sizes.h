// Proofs for launches of all sizes at once: "for every n from 1 on, with a grid of n threads and
// 4 * n bytes behind `x`".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/proofs/kernel_proof.h"
#include "base/result.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"
#include "tasks/plan/sized_number.h"

namespace msci {

// A plan in which one number n of the size is open.
struct OpenPlan {
  std::string name;  // of n, for a person
  // Each number of the plan is the same at all n, or grows as one of these: a grid's side or a word
  // as it is, the bytes of a buffer times the bytes of an element.
  std::vector<SizedNumber> numbers;
  struct Sample {
    std::int64_t n = 0;
    Plan plan;
  };
  std::vector<Sample> samples;  // at two n or more, which tell which number it is
};

struct AllSizesProof {
  std::string kernel;
  std::int64_t first = 1, last = 1;     // n
  std::string launch;                   // "grid n, threadgroups of 64; x of 4 * n bytes, n = n"
  std::vector<ProofClaim> claims = {};  // that are proved for all of them
  bool operator==(const AllSizesProof&) const = default;
};

// What holds of the kernels for all n from the first to the last. Launches are left out whose
// numbers grow in another way, or of which nothing is proved. Errors: Z3 is missing.
Result<std::vector<AllSizesProof>> prove_all_sizes(const OpenPlan& plan,
                                                   const Translation& checked);

}  // namespace msci
