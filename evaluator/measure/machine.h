// The state of the machine during a measurement.
#pragma once

#include <optional>
#include <string_view>

namespace msci {

struct MachineState {
  std::optional<double> load;       // runnable processes, averaged over the last minute
  std::optional<double> clock_mhz;  // averaged over the processors
  bool operator==(const MachineState&) const = default;
};

// The current state; values that the system does not report are none.
MachineState machine_state();

// What /proc/stat counts of all processors together since the machine started.
struct ProcessorTimes {
  double busy = 0;    // in processes, including what a hypervisor gave to others
  double stolen = 0;  // that part
  double idle = 0;
};
// From the text of /proc/stat; none if it has another form.
std::optional<ProcessorTimes> processor_times_in(std::string_view stat);
// Whether more than a share that does not matter was used between the two.
bool was_busy_between(const ProcessorTimes& before, const ProcessorTimes& after);
// Looks for a twentieth of a second, in which the caller and its workers rest. False where the
// system does not tell.
bool is_machine_busy();

}  // namespace msci
