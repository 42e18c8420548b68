// The state of the machine during a measurement.
#pragma once

#include <optional>

namespace msci {

struct MachineState {
  std::optional<double> load;       // runnable processes, averaged over the last minute
  std::optional<double> clock_mhz;  // averaged over the processors
  bool operator==(const MachineState&) const = default;
};

// The current state; values that the system does not report are none.
MachineState machine_state();

}  // namespace msci
