// Makes kernels record which outcomes of their conditions a run sees: calls in the IR that a device
// turns into marks.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/coverage/certificate.h"
#include "compiler/ir/source_locations.h"
#include "tasks/plan/program.h"

namespace llvm {
class CallInst;
class Function;
class Instruction;
class LLVMContext;
class MDNode;
class Module;
}  // namespace llvm

namespace msci {

// The function that a kernel calls with the number of an outcome and a bit: whether it is seen.
constexpr const char* see_outcome_call = "msci.coverage.see";

// Adds calls to the module's kernels that tell which outcomes of their conditions are seen, and
// attaches the list of the outcomes to each kernel. Comes last: the calls hold no optimisation back
// that a device does not do itself. Afterwards the module has no debug information.
void cover_outcomes(llvm::Module& ir, const std::vector<KernelSignature>& kernels,
                    SourceLocations& locations);

// The list that is attached to a kernel, by number: places and conditions, none seen yet. Empty for
// a kernel without outcomes.
std::vector<CertifiedOutcome> outcomes_of(const llvm::Function& kernel);

// The call that an instruction is, or null; and the number of its outcome.
const llvm::CallInst* outcome_call(const llvm::Instruction& instruction);
std::size_t outcome_number(const llvm::CallInst& call);

// An outcome as metadata: its place, its condition and its numbers.
llvm::MDNode* node_of(const CertifiedOutcome& outcome, llvm::LLVMContext& context);
CertifiedOutcome outcome_in(const llvm::MDNode& node);

// Removes the calls.
void drop_outcomes(llvm::Function& kernel);

}  // namespace msci
