// Proofs as JSON, for other programs and for other processes of msci.
#pragma once

#include <vector>

#include "analysis/check/check_record_json.h"
#include "analysis/proofs/all_sizes.h"
#include "analysis/proofs/kernel_proof.h"
#include "analysis/proofs/proof_text.h"
#include "base/diagnostic.h"
#include "base/json.h"
#include "base/optional_json.h"

namespace msci {

// Whether one of the faults of a run is the claim's: of its kind, at a line of its counterexample.
// `places` are those of the translation that was proved (Translation::places).
bool confirms(const Diagnostic& fault, const ProofClaim& claim, const std::vector<Place>& places);

// Notes for each counterexample whether the faults, of a run of its launch, have it. One that a run
// shows is a refutation, whatever stopped the proof.
void note_faults(KernelProof& proof, const std::vector<Diagnostic>& faults,
                 const std::vector<Place>& places);

// For other programs.
OrderedJson json_of(const KernelProof& proof);
// One for each proof.
OrderedJson json_of(const AllSizesProofs& all);

// For other processes of msci.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProofThread, thread, threadgroup, line, place)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Counterexample, first, second, both_write, offset, misaligned,
                                   is_certain, is_certain_place, values_differ)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProofClaim, subject, object, answer, reason, line,
                                   counterexample, confirmed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelProof, kernel, launch, launches, first, assumptions,
                                   claims, seconds, steps, met_limit)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AllSizesProof, kernel, first, last, launch, claims)

}  // namespace msci
