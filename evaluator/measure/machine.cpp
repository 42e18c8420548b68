#include "evaluator/measure/machine.h"

#include <cstdlib>
#include <fstream>
#include <string>

namespace msci {
namespace {

// The mean of the lines "cpu MHz : 2400.000"; containers and some processors have none.
std::optional<double> clock_of(std::istream& cpuinfo) {
  double sum = 0;
  unsigned count = 0;
  for (std::string line; std::getline(cpuinfo, line);) {
    const auto colon = line.find(": ");
    if (!line.starts_with("cpu MHz") || colon == std::string::npos) continue;
    sum += std::strtod(line.c_str() + colon + 2, nullptr);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

}  // namespace

MachineState machine_state() {
  MachineState state;
  double load = 0;
  if (::getloadavg(&load, 1) == 1) state.load = load;
  std::ifstream cpuinfo("/proc/cpuinfo");
  state.clock_mhz = clock_of(cpuinfo);
  return state;
}

}  // namespace msci
