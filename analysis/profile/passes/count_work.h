// Makes kernels count what they do: calls in the IR that a device turns into counters.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/source_locations.h"
#include "tasks/plan/kernel_code.h"
#include "tasks/plan/program.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace msci {

// The functions that a kernel calls: with the number of a block at its beginning; before an access,
// with its number, its MemoryKind, its AccessType, its bytes and its address. An access of an
// element of a matrix in threadgroup memory has no bytes there: a GPU loads and stores a matrix in
// the turns of its bytes, whatever banks its rows are in.
constexpr const char* count_block_call = "msci.profile.block";
constexpr const char* count_access_call = "msci.profile.access";

// Describes the code of the module's kernels, and adds calls to them that tell which blocks and
// accesses run. Comes last: the calls hold no optimisation back that the device does not do itself.
// Afterwards the module has no debug information.
std::vector<KernelCode> count_work(llvm::Module& ir, SourceLocations& locations,
                                   const std::vector<KernelSignature>& signatures);

// Removes the calls that count.
void drop_counts(llvm::Function& kernel);

}  // namespace msci
