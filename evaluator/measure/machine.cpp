#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "evaluator/measure/roofline.h"

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

std::optional<ProcessorTimes> processor_times_now() {
  std::ifstream stat("/proc/stat");
  std::string line;
  if (!std::getline(stat, line)) return std::nullopt;
  return processor_times_in(line);
}

}  // namespace

std::optional<ProcessorTimes> processor_times_in(std::string_view stat) {
  // user, nice, system, idle, iowait, irq, softirq, steal
  double fields[8] = {};
  const std::string line(stat.substr(0, stat.find('\n')));
  if (std::sscanf(line.c_str(), "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &fields[0], &fields[1],
                  &fields[2], &fields[3], &fields[4], &fields[5], &fields[6], &fields[7]) != 8)
    return std::nullopt;
  const auto& [user, nice, system, idle, iowait, irq, softirq, steal] = fields;
  return ProcessorTimes{
      .busy = user + nice + system + irq + softirq + steal, .stolen = steal, .idle = idle + iowait};
}

bool was_busy_between(const ProcessorTimes& before, const ProcessorTimes& after) {
  // One tick of a hundredth of a second may fall into any interval.
  constexpr double ticks_of_chance = 1;
  constexpr double most_busy = 0.15;
  constexpr double most_stolen = 0.02;
  const double all = after.busy - before.busy + after.idle - before.idle;
  return after.busy - before.busy > std::max(ticks_of_chance, most_busy * all) ||
         after.stolen - before.stolen > std::max(ticks_of_chance, most_stolen * all);
}

bool is_machine_busy() {
  const auto before = processor_times_now();
  if (!before) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto after = processor_times_now();
  return after && was_busy_between(*before, *after);
}

MachineState machine_state() {
  MachineState state;
  double load = 0;
  if (::getloadavg(&load, 1) == 1) state.load = load;
  std::ifstream cpuinfo("/proc/cpuinfo");
  state.clock_mhz = clock_of(cpuinfo);
  return state;
}

}  // namespace msci
