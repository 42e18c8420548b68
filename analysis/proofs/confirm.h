// Shows counterexamples in runs of the checked mode.
#pragma once

#include <vector>

#include "analysis/proofs/kernel_proof.h"
#include "base/diagnostic.h"

namespace msci {

// Whether one of the faults of a run is the claim's: of its kind, at a line of its counterexample.
// `places` are those of the translation that was proved (Translation::places).
bool confirms(const Diagnostic& fault, const ProofClaim& claim, const std::vector<Place>& places);

// Notes for each counterexample whether the faults, of a run of its launch, have it. One that a run
// shows is a refutation, whatever stopped the proof.
void note_faults(KernelProof& proof, const std::vector<Diagnostic>& faults,
                 const std::vector<Place>& places);

}  // namespace msci
