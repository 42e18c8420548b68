// Proofs as text for a person.
#pragma once

#include <string>
#include <vector>

#include "analysis/proofs/kernel_proof.h"

namespace msci {

// The proofs of one size of a task.
struct SizeProofs {
  std::string size;
  std::vector<KernelProof> proofs;
  bool operator==(const SizeProofs&) const = default;
};

// By kernel, with one paragraph for all launches and sizes that have the same answers.
std::string to_text(const std::vector<SizeProofs>& sizes, const std::string& file);

}  // namespace msci
