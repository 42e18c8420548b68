#include "analysis/proofs/confirm.h"

#include <algorithm>

namespace msci {
namespace {

// A thread without a place is in the source itself.
FileLine line_of(const ProofThread& at, const std::vector<Place>& places) {
  const bool has_place = at.place != 0 && at.place < places.size();
  return {has_place ? places[at.place].file : "", at.line};
}

}  // namespace

bool confirms(const Diagnostic& fault, const ProofClaim& claim, const std::vector<Place>& places) {
  const auto* kind = kind_of_finding(fault.id);
  if (!claim.counterexample || !kind || kind->proof != claim.subject) return false;
  if (is_of_arithmetic(claim.subject)) return true;  // a run keeps the first such fault only
  const auto lines = lines_of(fault);
  const auto& second = claim.counterexample->second;
  return lines.contains(line_of(claim.counterexample->first, places)) ||
         (second && lines.contains(line_of(*second, places)));
}

void note_faults(KernelProof& proof, const std::vector<Diagnostic>& faults,
                 const std::vector<Place>& places) {
  for (auto& claim : proof.claims) {
    if (!claim.counterexample) continue;
    claim.confirmed = std::any_of(faults.begin(), faults.end(), [&](const Diagnostic& fault) {
      return confirms(fault, claim, places);
    });
    if (*claim.confirmed) claim.answer = ProofAnswer::refuted;
  }
}

}  // namespace msci
