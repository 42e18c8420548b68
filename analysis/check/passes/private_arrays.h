// Checks of private arrays and structures, and of tables of the program.
#pragma once

#include <vector>

#include "compiler/ir/source_locations.h"

namespace llvm {
class AllocaInst;
class Function;
}  // namespace llvm

namespace msci {

// Variables whose memory a function reserves when it begins.
std::vector<llvm::AllocaInst*> variables_of(llvm::Function& function);

// Afterwards every access through a pointer that can only lead into private arrays, structures and
// tables of the program stays inside of the one that it leads into, and reads what was written.
// Variables have been promoted to registers where that is possible.
void check_private_arrays(llvm::Function& function, SourceLocations& locations);

}  // namespace msci
