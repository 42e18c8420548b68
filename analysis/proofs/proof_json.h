// Proofs as JSON, for other programs and for other processes of msci.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/proofs/kernel_proof.h"
#include "base/json.h"

namespace msci {

OrderedJson json_of(const KernelProof& proof);
// Reads what json_of() wrote. Errors: another value.
Result<std::vector<KernelProof>> proofs_from_json(std::string_view text);
std::string proofs_to_json(const std::vector<KernelProof>& proofs);

}  // namespace msci
