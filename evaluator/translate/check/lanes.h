// Checks of values that come from other lanes.
#pragma once

#include "evaluator/translate/check/places.h"

namespace llvm {
class Module;
}

namespace msci {

// Afterwards a value that a thread got from a lane that did not take part is followed, through
// registers and other lanes, and reported where something depends on it: what is stored, where, or
// which way is gone. That it was asked for alone is no fault. Comes after check_accesses, whose
// calls are such places.
void check_lanes(llvm::Module& ir, Places& places);

}  // namespace msci
