// Rewrites the arithmetic of a kernel to one meaning.
#pragma once

#include "compiler/ir/source_locations.h"
#include "compiler/numeric_meaning.h"

namespace llvm {
class Function;
}

namespace msci {

// Afterwards arithmetic on floats has that meaning and no other: no instruction has a flag of fast
// math, so no later step may change what it computes. Where the source forbids a freedom
// (precise::, --no-fast-math), it means what is written. Everything is inlined. Where all lines
// flush denormal numbers, that is left to the processor.
void apply_meaning(llvm::Function& kernel, const NumericMeaning& meaning,
                   SourceLocations& locations);

}  // namespace msci
