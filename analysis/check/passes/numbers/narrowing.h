// Numbers that change on their way into a narrower type.
#pragma once

#include "compiler/ir/source_locations.h"

namespace llvm {
class Module;
class TruncInst;
}  // namespace llvm

namespace msci {

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

}  // namespace msci
