// The passes that give arithmetic on floats one of the meanings that fast math allows.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <memory>

#include "compiler/instrument.h"
#include "compiler/ir/source_locations.h"
#include "compiler/numeric_meaning.h"

namespace llvm {
class Function;
}

namespace msci {

// `locations` must outlive them.
std::unique_ptr<InstrumentPasses> numeric_passes(const NumericMeaning& meaning,
                                                 SourceLocations& locations);

// Rewrites the arithmetic of a kernel to one meaning.

// Afterwards arithmetic on floats has that meaning and no other: no instruction has a flag of fast
// math, so no later step may change what it computes. Where the source forbids a freedom
// (precise::, --no-fast-math), it means what is written. Everything is inlined. Where all lines
// flush denormal numbers, that is left to the processor.
void apply_meaning(llvm::Function& kernel, const NumericMeaning& meaning,
                   SourceLocations& locations);

// The fast variants of Metal's mathematical functions, as formulas.

// The formula for a call in single precision, by the Metal specification's table for fast math:
// built from exp2, log2, sin and cos of small arguments, sqrt and division. Null for other
// functions.
llvm::Value* fast_variant(const llvm::CallInst& call, llvm::IRBuilder<>& builder);

}  // namespace msci
