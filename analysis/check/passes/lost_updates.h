// Exchanges that fail and are not tried again.
#pragma once

#include "compiler/ir/source_locations.h"

namespace llvm {
class Function;
}

namespace msci {

// Afterwards a compare-and-exchange that fails is reported if it would have stored what the
// expected value was changed into, such as a sum, and the kernel does not look at its result. An
// exchange of a constant, which claims a place, may fail, and so may one whose new value was read
// elsewhere. Variables are in registers.
void check_lost_updates(llvm::Function& kernel, SourceLocations& locations);

}  // namespace msci
