#include "evaluator/measure/roofline.h"

#include <algorithm>
#include <array>

namespace msci {
namespace {

struct Row {
  std::string_view name;
  double gflops;
  double gbps;
};

// What the benchmark takes for an Apple GPU that its table (profile/chip.h) does not list.
constexpr Row other_apple = {"any other", 2000, 80};

// Devices that the benchmark does not list, by their full name.
constexpr std::array other_rows = {
    Row{"NVIDIA H200", 67000, 4300},  // data sheet; what a device copy reaches of its 4,800
    Row{"NVIDIA H100 80GB HBM3", 67000, 3350},  // data sheet
};

Ceilings from(const Row& row) { return {row.gflops, row.gbps, Ceilings::Source::table}; }

// The benchmark's rule: the exact name, else the first chip whose title is part of it, so that an
// unlisted variant of a chip gets its base model's ceilings.
Ceilings known_apple(std::string_view name) {
  for (const auto& chip : chips())
    if (chip.title == name) return ceilings_of(chip);
  for (const auto& chip : chips())
    if (name.find(chip.title) != std::string_view::npos) return ceilings_of(chip);
  return from(other_apple);
}

}  // namespace

std::string_view to_string(Ceilings::Source source) {
  switch (source) {
    case Ceilings::Source::table:
      return "table";
    case Ceilings::Source::measured:
      return "measured";
    case Ceilings::Source::plan:
      return "plan";
  }
  return "";
}

std::string_view unit_of(Ceiling kind) { return kind == Ceiling::bandwidth ? "GB/s" : "GFLOPS"; }

Ceilings ceilings_for(const Task& task, Ceilings of_device) {
  if (!task.best_rate) return of_device;
  (task.ceiling == Ceiling::bandwidth ? of_device.gbps : of_device.gflops) = *task.best_rate;
  of_device.source = Ceilings::Source::plan;
  of_device.sets.clear();
  of_device.is_beside_load = false;
  return of_device;
}

double Ceilings::of(Ceiling kind, std::size_t working_set) const {
  if (kind == Ceiling::compute) return gflops;
  const auto known = sets.find(probed_set(working_set));
  return known == sets.end() ? gbps : std::max(gbps, known->second);
}

double ceiling_of(const Task& task, const Ceilings& of_device, std::size_t working_set) {
  return ceilings_for(task, of_device).of(task.ceiling, working_set);
}

std::string ceiling_unit_of(const Task& task) {
  return std::string(task.best_rate ? task.unit : unit_of(task.ceiling));
}

Ceilings ceilings_of(const Chip& chip) {
  return {chip.peak_flops / 1e9, chip.dram_bandwidth / 1e9, Ceilings::Source::table};
}

std::optional<Ceilings> known_ceilings(std::string_view device_name) {
  if (device_name.find("Apple") != std::string_view::npos) return known_apple(device_name);
  for (const auto& row : other_rows)
    if (row.name == device_name) return from(row);
  return std::nullopt;
}

}  // namespace msci
