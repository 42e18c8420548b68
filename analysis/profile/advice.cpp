#include "analysis/profile/advice.h"

#include <fmt/format.h>

#include <algorithm>

namespace msci {
namespace {

// The line with the most of something: "line 41"; where none is known, "".
template <typename Measure>
std::string at_line(const LaunchProfile& launch, Measure measure) {
  const LineProfile* most = nullptr;
  for (const auto& line : launch.lines)
    if (line.line > 0 && measure(line) > 0 && (!most || measure(line) > measure(*most)))
      most = &line;
  return most ? fmt::format(", most at line {}", most->line) : "";
}

double sum(const LaunchProfile& launch, double LineProfile::* member) {
  double all = 0;
  for (const auto& line : launch.lines) all += line.*member;
  return all;
}

std::string on_instructions(const LaunchProfile& launch) {
  constexpr double few_lanes = 24;
  const auto where = at_line(launch, [](const auto& line) { return line.cycles; });
  if (launch.active_lanes < few_lanes)
    return fmt::format(
        "bound by instructions, which run with {:.0f} of 32 lanes{}; let the lanes "
        "of a simdgroup take the same branches",
        launch.active_lanes, where);
  return fmt::format("bound by instructions{}; compute less, or move work out of loops", where);
}

std::string on_latency(const LaunchProfile& launch, const LaunchPrediction& prediction) {
  const auto& held = prediction.occupancy;
  const auto why = held.limit == Occupancy::Limit::registers
                       ? fmt::format("its {} 16-bit registers a thread", launch.registers)
                   : held.limit == Occupancy::Limit::threadgroup_memory
                       ? fmt::format("its {} bytes of threadgroup memory", launch.threadgroup_bytes)
                       : std::string();
  const auto all = launch.groups * launch.simdgroups;
  if (why.empty())
    return fmt::format(
        "bound by latency: {} simdgroups in all leave the cores waiting; use more "
        "threads, each with less work",
        all);
  return fmt::format(
      "bound by latency: {} allow {} simdgroups a core; use fewer, or give each "
      "thread independent work",
      why, held.simdgroups);
}

std::string on_accesses(const LaunchProfile& launch) {
  const double touched = sum(launch, &LineProfile::lines);
  const double least = sum(launch, &LineProfile::least_lines);
  const auto where =
      at_line(launch, [](const auto& line) { return line.lines - line.least_lines; });
  if (touched > 1.5 * least)
    return fmt::format(
        "bound by accesses of device memory: {:.1f} lines of 128 bytes for each one "
        "needed{}; let neighbouring threads access neighbouring elements",
        touched / least, where);
  return "bound by accesses of device memory; load each value once, as vectors of 16 bytes, or "
         "share it in threadgroup memory";
}

std::string on_threadgroup_memory(const LaunchProfile& launch) {
  const double turns = sum(launch, &LineProfile::bank_cycles);
  const double least = sum(launch, &LineProfile::least_bank_cycles);
  const auto where =
      at_line(launch, [](const auto& line) { return line.bank_cycles - line.least_bank_cycles; });
  if (turns > 1.5 * least)
    return fmt::format(
        "bound by threadgroup memory: {:.1f} turns of its banks for each one "
        "needed{}; pad the rows of the array by an element",
        turns / least, where);
  return "bound by threadgroup memory; keep values in registers, or exchange them with simdgroup "
         "functions";
}

std::string on_spills(const LaunchProfile& launch) {
  const auto allowed = registers_allowed(launch.thread_limit);
  if (launch.registers > allowed)
    return fmt::format(
        "bound by spilled registers: about {} of 16 bits are live, and a kernel for "
        "{} threads a threadgroup has {}; lower max_total_threads_per_threadgroup, "
        "or unroll less",
        launch.registers, launch.thread_limit, allowed);
  return fmt::format(
      "bound by private arrays in memory ({} bytes a thread); index them with "
      "constants, in loops that are unrolled",
      launch.private_bytes);
}

}  // namespace

std::string advice_on(const LaunchProfile& launch, const LaunchPrediction& prediction) {
  switch (prediction.bound()) {
    case Bound::instructions:
      return on_instructions(launch);
    case Bound::latency:
      return on_latency(launch, prediction);
    case Bound::accesses:
      return on_accesses(launch);
    case Bound::threadgroup_memory:
      return on_threadgroup_memory(launch);
    case Bound::spills:
      return on_spills(launch);
    case Bound::cache:
      return fmt::format(
          "bound by the cache behind the cores: {:.1f} lines of 128 bytes miss a "
          "core's 8 KB for each simdgroup; reuse values sooner, or in threadgroup "
          "memory",
          launch.core_misses);
    case Bound::memory:
      return "bound by memory; fuse launches, or store smaller types";
    case Bound::atomics:
      return "bound by atomics; combine within a simdgroup first";
    case Bound::launch:
      return "bound by launching; do more in each launch";
  }
  return "";
}

}  // namespace msci
