// What else the machine was doing while something was measured on it.
#pragma once

#include <optional>

namespace msci {

struct MachineState {
  std::optional<double> load;       // processes that wanted to run, a mean over the last minute
  std::optional<double> clock_mhz;  // of the processors, a mean over them
  bool operator==(const MachineState&) const = default;
};

// As the system tells it now; what it does not tell is none.
MachineState machine_state();

}  // namespace msci
