#include "analysis/proofs/kernel_proof.h"

#include <algorithm>

namespace msci {

std::string_view to_string(ProofAnswer answer) {
  switch (answer) {
    case ProofAnswer::proved:
      return "proved";
    case ProofAnswer::refuted:
      return "refuted";
    case ProofAnswer::unknown:
      return "unknown";
  }
  return "unknown";
}

std::string_view to_string(ProofSubject subject) {
  switch (subject) {
    case ProofSubject::bounds:
      return "bounds";
    case ProofSubject::races:
      return "races";
    case ProofSubject::barriers:
      return "barriers";
    case ProofSubject::divisors:
      return "divisors";
    case ProofSubject::shifts:
      return "shifts";
    case ProofSubject::conversions:
      return "conversions";
  }
  return "unknown";
}

bool is_of_arithmetic(ProofSubject subject) {
  return std::ranges::find(arithmetic_subjects, subject) != arithmetic_subjects.end();
}

bool ProofClaim::leaves_object() const {
  return subject == ProofSubject::bounds && answer == ProofAnswer::refuted &&
         !counterexample->misaligned;
}

bool KernelProof::has(ProofAnswer answer) const {
  return std::any_of(claims.begin(), claims.end(),
                     [&](const ProofClaim& each) { return each.answer == answer; });
}

}  // namespace msci
