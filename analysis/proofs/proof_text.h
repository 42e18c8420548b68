// Proofs as text for a person.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis/proofs/all_sizes.h"
#include "analysis/proofs/kernel_proof.h"

namespace msci {

// The proofs of one size of a task.
struct SizeProofs {
  std::string size;
  std::vector<KernelProof> proofs;
  bool operator==(const SizeProofs&) const = default;
};

// What is proved for every value of one parameter of a task, while the others stay.
struct AllSizesProofs {
  std::string parameter;                                     // "n"
  std::vector<std::pair<std::string, std::int64_t>> others;  // with their values: "rows", 4
  std::vector<AllSizesProof> proofs;
  bool operator==(const AllSizesProofs&) const = default;
};

// One paragraph for each proof.
std::string to_text(const AllSizesProofs& all, const std::string& file);

// By kernel, with one paragraph for all launches and sizes that have the same answers.
std::string to_text(const std::vector<SizeProofs>& sizes, const std::string& file);

}  // namespace msci
