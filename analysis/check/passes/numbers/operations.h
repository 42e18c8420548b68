// Checks of what is computed: arithmetic that Metal leaves undefined or that surprises, indices
// into parts of objects, lanes that do not exist.
#pragma once

#include "compiler/ir/source_locations.h"

namespace llvm {
class Module;
}

namespace msci {

// Afterwards these operations of the user's text are reported where they go wrong, and then do
// something harmless. Comes first of all checks and before inlining, which folds what is undefined.
// An access requires the alignment of its type from then on.
void check_operations(llvm::Module& ir, SourceLocations& locations);

// The same for what Metal's functions do for the user: shuffles, and functions that are not defined
// for every number. Helpers have been inlined: the place is that of the call.
void check_builtin_calls(llvm::Module& ir, SourceLocations& locations);

}  // namespace msci
