// Faults that a proof excludes in all launches that a task makes.
#pragma once

#include <string>

#include "analysis/proofs/kernel_proof.h"
#include "compiler/frontend/unit.h"
#include "lint/contract.h"

namespace msci {

// Whether no launch of the kernel by the contract's task, at any of its sizes, can have such a
// fault of the object; `object` is empty for barriers. False without a task, and where it is not
// proved. Proved for all kernels of the unit at the first call, in a process of its own.
bool is_excluded_by_task(const clang::FunctionDecl& kernel, ProofSubject subject,
                         const std::string& object, const Unit& unit, const Contract& contract);

}  // namespace msci
