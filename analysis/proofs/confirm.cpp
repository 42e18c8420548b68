#include "analysis/proofs/confirm.h"

#include <algorithm>
#include <set>

namespace msci {

bool confirms(const Diagnostic& fault, const ProofClaim& claim) {
  const auto* kind = kind_of_finding(fault.id);
  if (!claim.counterexample || !kind || kind->proof != claim.subject) return false;
  if (claim.subject == ProofSubject::divisors)
    return true;  // a run keeps the first such fault only
  std::set<unsigned> lines{claim.counterexample->first.line};
  if (claim.counterexample->second) lines.insert(claim.counterexample->second->line);
  if (lines.contains(fault.place.range.begin.line)) return true;
  return std::any_of(fault.notes.begin(), fault.notes.end(),
                     [&](const Note& note) { return lines.contains(note.place.range.begin.line); });
}

void note_faults(KernelProof& proof, const std::vector<Diagnostic>& faults) {
  for (auto& claim : proof.claims) {
    if (!claim.counterexample) continue;
    claim.confirmed = std::any_of(faults.begin(), faults.end(),
                                  [&](const Diagnostic& fault) { return confirms(fault, claim); });
    if (*claim.confirmed) claim.answer = ProofAnswer::refuted;
  }
}

}  // namespace msci
