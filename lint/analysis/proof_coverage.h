// Which kernels of a source the proofs of rules have not come to an end with, and why.
#pragma once

#include <string>
#include <vector>

namespace msci {

// The reason where a proof crashed or exceeded a limit of the process, which another run may not.
inline constexpr const char* proof_stopped = "stopped";

// A kernel in which proofs may have missed a fault.
struct UnprovedKernel {
  std::string kernel;  // as the host calls it
  std::string reason;  // "budget", "too large", "not translated", "stopped", "proofs are off"
  std::string detail;  // a sentence; empty where the reason says all
  bool operator==(const UnprovedKernel&) const = default;
};

// Why the proofs in the launches of a task, which withdraw findings, did not come to an end:
// findings that they could have withdrawn stay. As UnprovedKernel has it; the reason is empty where
// they did.
struct TaskProofStop {
  std::string reason, detail;
};

struct ProofCoverage {
  std::vector<std::string> kernels;  // in which proofs look for faults, as the host calls them
  std::vector<UnprovedKernel> unproved;
  std::string off;  // why there are no proofs at all: "libz3.so.4 is missing"; empty otherwise
  bool operator==(const ProofCoverage&) const = default;
};

}  // namespace msci
