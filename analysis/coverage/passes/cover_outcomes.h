// Makes kernels record which outcomes of their conditions a run sees: calls in the IR that a device
// turns into marks.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "analysis/coverage/certificate.h"
#include "compiler/instrument.h"
#include "compiler/ir/source_locations.h"
#include "tasks/plan/program.h"

namespace llvm {
class CallInst;
class Function;
class Instruction;
class LLVMContext;
class MDNode;
}  // namespace llvm

namespace msci {

// The pass of the certificate of a strict verdict (docs/concepts/coverage.md): adds calls to the
// kernels that tell which outcomes of their conditions are seen, and attaches the list of the
// outcomes to each kernel. Comes last: the calls hold no optimisation back that a device does not
// do itself. Afterwards the IR has no debug information. `locations` must outlive the passes.
std::unique_ptr<InstrumentPasses> coverage_passes(SourceLocations& locations);

// The function that a kernel calls with the number of an outcome and a bit: whether it is seen.
constexpr const char* see_outcome_call = "msci.coverage.see";

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

// Numbers that some instruction may not keep: 16 bits of a position, a byte of a step, and integers
// that become a float, which has 24 bits.
struct LostDigits {
  llvm::Value* number;   // of integers, perhaps a vector of them
  llvm::Value* is_lost;  // a bit for each: whether it does not fit
  unsigned bits;         // that it has room in
  bool becomes_real;     // in the digits of a real number, which becomes an integer again
};

// The numbers among the operands of an instruction, or of those that it is made of, that it may not
// keep. New instructions are inserted before it. `counts`: whether a number is of interest.
std::vector<LostDigits> lost_digits_in(llvm::Instruction& instruction, llvm::IRBuilder<>& builder,
                                       const std::function<bool(const llvm::Value&)>& counts);

}  // namespace msci
