// perf_result.json, a file for other programs: the times of a kernel beside those of its task's
// seed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "evaluator/result/files/verify_result.h"
#include "evaluator/score/ratio.h"

namespace msci {

// One implementation at one size.
struct Latency {
  std::optional<double> milliseconds;  // the median of the timed passes
  double memory_mb = 0;                // 1e6 bytes of device buffers
  std::vector<std::string> kernels;    // in the order of their first launch
  bool operator==(const Latency&) const = default;
};

struct PerfCase {
  std::string input;
  Latency framework;       // the task's seed kernel, on the same device
  Latency implementation;  // the candidate
  std::optional<double> speed_up;
  std::optional<CaseFailure> failure;  // of either
  bool operator==(const PerfCase&) const = default;
};

struct PerfResult {
  std::string task;
  std::string candidate;
  std::string device;
  Repeats repeats;
  std::vector<PerfCase> cases;

  // The geometric mean over passed cases with a valid ratio.
  std::optional<double> speed_up() const;
  // The passed cases, from 1, whose ratio is of that kind.
  std::vector<std::size_t> indices(RatioClass kind) const;
};

// Candidate and seed, each evaluated on this device with these repeats.
PerfResult perf_result(const Task& task, const Translation& candidate, const Outcome& outcome,
                       const Translation& seed, const Outcome& seed_outcome, std::string hash,
                       std::string device, Repeats repeats);

// perf_result.json, as in docs/schemas/perf_result.schema.json.
std::string to_json(const PerfResult& result);

}  // namespace msci
