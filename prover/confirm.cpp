#include "prover/confirm.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace msci {
namespace {

bool is_of(ProofSubject subject, std::string_view id) {
  switch (subject) {
    case ProofSubject::bounds:
      return id == "check.out_of_bounds" || id == "check.index_overflow" ||
             id == "check.misaligned";
    case ProofSubject::races:
      return id == "check.race";
    case ProofSubject::barriers:
      return id == "check.barrier_divergence";
  }
  return false;
}

}  // namespace

bool confirms(const Diagnostic& fault, const ProofClaim& claim) {
  if (!claim.counterexample || !is_of(claim.subject, fault.id)) return false;
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
