// How often a block stores and loads values that do not fit into registers.
#pragma once

#include <vector>

namespace msci {

// One step of a block: values by number.
struct AllocationStep {
  std::vector<unsigned> reads;
  int defines = -1;  // none
};

// The block as steps, with the values that live at its beginning and at its end. `sizes`: the
// registers of each value. The result is in registers, too: each value that goes is stored once,
// and loaded where it is used again.
unsigned spilled_registers(const std::vector<AllocationStep>& steps,
                           const std::vector<unsigned>& live_in,
                           const std::vector<unsigned>& live_out,
                           const std::vector<unsigned>& sizes, unsigned allowed);

}  // namespace msci
