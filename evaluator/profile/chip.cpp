#include "evaluator/profile/chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace msci {
namespace {

constexpr double ghz = 1e9;
constexpr double gbps = 1e9;
constexpr std::size_t mib = std::size_t{1} << 20;

// docs/prediction.md has the sources.
constexpr std::array<Chip, 7> all{{
    {"m1", "Apple M1", 1.278 * ghz, 8, 68 * gbps, 8 * mib},
    {"m1-pro", "Apple M1 Pro", 1.296 * ghz, 14, 200 * gbps, 24 * mib},
    {"m1-max", "Apple M1 Max", 1.296 * ghz, 32, 400 * gbps, 48 * mib},
    {"m1-ultra", "Apple M1 Ultra", 1.296 * ghz, 64, 800 * gbps, 96 * mib},
    {"m2", "Apple M2", 1.398 * ghz, 10, 100 * gbps, 8 * mib},
    {"m2-pro", "Apple M2 Pro", 1.398 * ghz, 19, 200 * gbps, 24 * mib},
    {"m2-max", "Apple M2 Max", 1.398 * ghz, 38, 400 * gbps, 48 * mib},
}};

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

Result<const Chip*> find_chip(std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Chip& chip) { return chip.name == name; });
  if (found != all.end()) return &*found;
  std::string known;
  for (const auto& chip : all) known += fmt::format("{}{}", known.empty() ? "" : ", ", chip.name);
  return Error{fmt::format("unknown chip '{}'; known are {}", name, known)};
}

unsigned registers_allowed(unsigned threads) {
  unsigned registers = allocations.front().registers;
  if (threads == 0) return most_registers;
  for (const auto& each : allocations)
    if (each.threads >= threads) registers = each.registers;
  return registers;
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
