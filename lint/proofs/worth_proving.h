// Which kernels a proof may say something about, so that the others cost no time.
#pragma once

#include <vector>

#include "compiler/frontend/unit.h"

namespace msci {

struct ProofCandidate {
  Kernel kernel;
  bool is_too_large = false;  // for a proof; nobody knows whether it is worth one
};

// Kernels in which threads share threadgroup memory or wait for each other, and those that access
// a buffer that they may write at more than one index, or at one that threads may share; and those
// that limit a number just behind the end of a private array, or index one by counters of loops
// that may leave it, or whose loops run further than a row; in order of appearance. Of a template,
// the first instance.
std::vector<ProofCandidate> kernels_worth_proving(const Unit& unit);

}  // namespace msci
