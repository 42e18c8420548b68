// Checks of memory that belongs to one thread.
#pragma once

#include "compiler/ir/source_locations.h"

namespace llvm {
class Module;
}

namespace msci {

// Afterwards no variable that fits a register lies in memory, and what a thread reads of a private
// variable or array that it never wrote is reported; so is an access outside of a private array or
// a program-scope table, which then goes to its beginning. What cannot be followed is let alone.
// Comes before anything that may replace an uninitialised value by any value; helpers have been
// inlined.
void check_private_memory(llvm::Module& ir, SourceLocations& locations);

}  // namespace msci
