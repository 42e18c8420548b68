// Calls of assert() and of an os_log, which only the checked mode reports.
#pragma once

#include "compiler/ir/source_locations.h"

namespace llvm {
class Module;
}

namespace msci {

// Afterwards each assertion is a check. Comes after inlining, which tells where the calls are.
void check_assertions(llvm::Module& ir, SourceLocations& locations);

// Afterwards each message is a call of msci.check.log. Comes after optimisation, which tells what
// its format is. A run records the first numbers of a message (KernelMessage::most_words).
void record_messages(llvm::Module& ir, SourceLocations& locations);

}  // namespace msci
