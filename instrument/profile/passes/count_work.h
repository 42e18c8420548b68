// Makes kernels count what they do: calls in the IR that a device turns into counters.
#pragma once

#include <llvm/IR/ValueMap.h>

#include <string>
#include <vector>

#include "compiler/ir/source_locations.h"
#include "instrument/profile/passes/registers.h"
#include "plan/kernel_code.h"
#include "plan/program.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace msci {

// The functions that a kernel calls: with the number of a block at its beginning; before an access,
// with its number, its MemoryKind, its AccessType, its bytes and its address.
constexpr const char* count_block_call = "msci.profile.block";
constexpr const char* count_access_call = "msci.profile.access";

// What blocks needed while their instructions had another order. Erased blocks leave it.
using OtherOrder = llvm::ValueMap<const llvm::BasicBlock*, RegisterNeeds>;

// Describes the code of the module's kernels, and adds calls to them that tell which blocks and
// accesses run. Comes last: the calls hold no optimisation back that the device does not do itself.
// Of the blocks in `other_order`, the needs there count where they are smaller. Afterwards the
// module has no debug information.
std::vector<KernelCode> count_work(llvm::Module& ir, SourceLocations& locations,
                                   const std::vector<KernelSignature>& signatures,
                                   const OtherOrder& other_order);

// The 16-bit registers that a thread of the kernel can have.
unsigned allowed_registers(const llvm::Function& kernel,
                           const std::vector<KernelSignature>& signatures);

// Removes the calls that count.
void drop_counts(llvm::Function& kernel);

}  // namespace msci
