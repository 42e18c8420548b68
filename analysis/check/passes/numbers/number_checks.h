// The checks of numbers: conditions on the results of operations, and where infinity and NaN come
// from.
#pragma once

#include <vector>

#include "compiler/ir/source_locations.h"
#include "tasks/plan/program.h"

namespace llvm {
class Function;
class Module;
class TruncInst;
}  // namespace llvm

namespace msci {

// Where infinity and NaN come from.

// Removes the flags of operations on floats that promise that nothing is infinite or NaN. Comes
// before all steps that could use them.
void allow_not_finite(llvm::Module& ir);

// Afterwards an operation that makes infinity from finite numbers, or NaN from others, is reported
// with its operands and the element of a buffer that one of them comes from. Each pointer's
// address space is known, and accesses have no checks yet.
void check_births(llvm::Module& ir, const std::vector<KernelSignature>& kernels,
                  SourceLocations& locations);

// Numbers that change on their way into a narrower type.

// Afterwards a conversion of an int or a uint to 8 or 16 bits, or of an integer to half, is
// reported where it changes the value. A cast that the source writes down is meant, unless it only
// takes back the promotion of a narrow number that arithmetic made: `n = ushort(n + 1)`. Also
// reported is a sum that leaves a half as it is, though at least 1 is added. Comes before inlining,
// while variables are in memory.
void check_narrowing(llvm::Module& ir, SourceLocations& locations);
// Whether the conversion is one of integers that check_narrowing() reports where it changes the
// value.
bool is_unmeant_cut(const llvm::TruncInst& cut, SourceLocations& locations);

// Afterwards a sum or a product of the lanes' numbers of 8 or 16 bits is reported where it does not
// fit. Comes after inlining, when the function of the Metal header has the location of its call.
void check_lane_sums(llvm::Module& ir, SourceLocations& locations);

// Checks of what is computed: arithmetic that Metal leaves undefined or that surprises, indices
// into parts of objects, lanes that do not exist.

// Afterwards these operations of the user's text are reported where they go wrong, and then do
// something harmless. Comes first of all checks and before inlining, which folds what is undefined.
// An access requires the alignment of its type from then on.
void check_operations(llvm::Module& ir, SourceLocations& locations);

// Of these only divisions, shifts and indices into parts of objects, also in Metal's headers: what
// addresses depend on.
void check_integers_and_parts(llvm::Module& ir, SourceLocations& locations);

// The same for what Metal's functions do for the user: shuffles, and functions that are not defined
// for every number. Helpers have been inlined: the place is that of the call.
void check_builtin_calls(llvm::Module& ir, SourceLocations& locations);

// A kernel whose narrow variables have 32 bits.

// Afterwards a variable of 8 or 16 bits keeps what check_narrowing() reports as cut: what reads it
// sees all 32 bits. What was in memory stays narrow. Variables are in registers.
void widen_narrow_variables(llvm::Function& kernel, SourceLocations& locations);

}  // namespace msci
