#include "analysis/profile/chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace msci {
namespace {

constexpr double ghz = 1e9;
constexpr double gflops = 1e9;
constexpr double gbps = 1e9;
constexpr std::size_t mib = std::size_t{1} << 20;

// The list of chips: everything else follows from it. The ceilings are those of the benchmark's own
// table; docs/concepts/prediction.md has the sources of the rest. The order is the benchmark's:
// name, title, peak, bandwidth, clock, cores, system cache.
constexpr auto all = std::to_array<Chip>({
    {"m1", "Apple M1", 2600 * gflops, 68 * gbps, 1.278 * ghz, 8, 8 * mib},
    {"m1-pro", "Apple M1 Pro", 4500 * gflops, 200 * gbps, 1.296 * ghz, 14, 24 * mib},
    {"m1-max", "Apple M1 Max", 7800 * gflops, 400 * gbps, 1.296 * ghz, 32, 48 * mib},
    {"m1-ultra", "Apple M1 Ultra", 21000 * gflops, 800 * gbps, 1.296 * ghz, 64, 96 * mib},
    {"m2", "Apple M2", 3600 * gflops, 100 * gbps, 1.398 * ghz, 10, 8 * mib},
    {"m2-pro", "Apple M2 Pro", 6800 * gflops, 200 * gbps, 1.398 * ghz, 19, 24 * mib},
    {"m2-max", "Apple M2 Max", 13600 * gflops, 400 * gbps, 1.398 * ghz, 38, 48 * mib},
    {"m2-ultra", "Apple M2 Ultra", 27200 * gflops, 800 * gbps, 1.398 * ghz, 76, 96 * mib},
    {"m3", "Apple M3", 4100 * gflops, 100 * gbps, 1.602 * ghz, 10, 8 * mib},
    {"m3-pro", "Apple M3 Pro", 7400 * gflops, 150 * gbps, 1.606 * ghz, 18, 24 * mib},
    {"m3-max", "Apple M3 Max", 14200 * gflops, 300 * gbps, 1.602 * ghz, 30, 48 * mib},
    {"m4", "Apple M4", 4600 * gflops, 120 * gbps, 1.797 * ghz, 10, 8 * mib},
    {"m4-pro", "Apple M4 Pro", 9200 * gflops, 273 * gbps, 1.797 * ghz, 20, 24 * mib},
    {"m4-max", "Apple M4 Max", 18000 * gflops, 546 * gbps, 1.758 * ghz, 40, 48 * mib},
});

// The most 16-bit registers of a thread with so many threads on a core (Mesa's table).
struct Allocation {
  unsigned registers;
  unsigned threads;
};
constexpr std::array<Allocation, 10> allocations{{{104, 1024},
                                                  {112, 896},
                                                  {128, 832},
                                                  {136, 768},
                                                  {144, 704},
                                                  {160, 640},
                                                  {184, 576},
                                                  {208, 512},
                                                  {232, 448},
                                                  {256, 384}}};

unsigned threads_with(unsigned registers) {
  if (registers <= allocations.front().registers)
    return std::min<unsigned>(
        most_threads, static_cast<unsigned>(register_file_bytes / 2) / std::max(1U, registers));
  for (const auto& each : allocations)
    if (registers <= each.registers) return each.threads;
  return allocations.back().threads;
}

}  // namespace

std::span<const Chip> chips() { return all; }

std::string chip_names() {
  std::string names;
  for (const auto& chip : chips())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", chip.name);
  return names;
}

Result<const Chip*> find_chip(std::string_view name) {
  for (const auto& chip : chips())
    if (chip.name == name) return &chip;
  return Error{fmt::format("unknown chip '{}'; known are {}", name, chip_names())};
}

unsigned registers_allowed(unsigned threads) {
  unsigned registers = allocations.front().registers;
  if (threads == 0) return most_registers;
  for (const auto& each : allocations)
    if (each.threads >= threads) registers = each.registers;
  return registers;
}

RegisterInterval register_interval(unsigned live, unsigned threads) {
  // Of Apple's registers over ours, the most that is known (docs/concepts/prediction.md#registers).
  constexpr double overlap = 1.8;
  const auto high = static_cast<unsigned>(std::lround(overlap * live));
  const auto most = registers_allowed(threads);
  return {std::min(live, most), std::min(high, most)};
}

Occupancy occupancy_of(unsigned registers, std::size_t threadgroup_bytes, unsigned simdgroups) {
  const auto by_threads = most_threads / 32 / simdgroups;
  const auto by_registers = threads_with(registers) / 32 / simdgroups;
  const auto by_memory = threadgroup_bytes == 0
                             ? by_threads
                             : static_cast<unsigned>(core_threadgroup_bytes / threadgroup_bytes);
  Occupancy occupancy;
  occupancy.groups = std::max(1U, std::min({by_threads, by_registers, by_memory}));
  occupancy.simdgroups = occupancy.groups * simdgroups;
  if (by_memory < std::min(by_threads, by_registers))
    occupancy.limit = Occupancy::Limit::threadgroup_memory;
  else if (by_registers < by_threads)
    occupancy.limit = Occupancy::Limit::registers;
  return occupancy;
}

}  // namespace msci
