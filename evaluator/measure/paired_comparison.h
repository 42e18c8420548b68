// Two kernels measured in turns within one session, so that clocks, other processes and caches
// affect both alike.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files/cache.h"
#include "engine/device/device.h"
#include "evaluator/measure/speedup.h"
#include "tasks/plan/task.h"

namespace msci {

// In each round both run `turn`, one after the other. The first one alternates, because the order
// alone can change a ratio by a quarter.
struct Rounds {
  unsigned count = 12;
  Repeats turn = {.warmup = 1, .timed = 3};
  // End as soon as no further round can show the candidate to be faster. What is then left out
  // cannot change is_faster(): an early end never makes a kernel faster.
  bool end_early = false;
};

// The smallest gain that is reported. One of 353 comparisons of equal kernels exceeded it
// (docs/reference/measuring.md).
constexpr double least_gain = 0.02;

// Seconds of the turns of a candidate and of its rival at one size. The i-th values are from the
// same round.
struct PairedTimes {
  std::string label;  // the size's
  std::vector<double> candidate;
  std::vector<double> rival;
  bool operator==(const PairedTimes&) const = default;
};

struct PairedComparison {
  std::vector<PairedTimes> sizes;  // the median of each turn

  // None if there are too few rounds for an interval.
  std::optional<Ratio> at(std::size_t size) const;
  // Over all sizes: from the geometric mean of each round.
  std::optional<Ratio> overall() const;
  unsigned rounds() const;  // that all sizes have
  // Whether the candidate is faster, or slower, by more than that share with the ratio's
  // confidence.
  bool is_faster(double margin = least_gain) const;
  bool is_slower(double margin = least_gain) const;
  // Whether it may yet be faster after `count` rounds, if all that are missing are in its favour.
  bool may_be_faster(unsigned count, double margin = least_gain) const;
  bool operator==(const PairedComparison&) const = default;
};

// A kernel and the device that runs it.
struct Contender {
  const Translation& translation;
  Device& device;
};

// Builds both for each round, which starts two processes on a worker device: two processes with the
// same kernel can differ by a third throughout their lives (docs/reference/measuring.md), so rounds
// within one pair of processes are not independent. A Failure is the candidate's, and names the
// size: a pass that is wrong or writes what it must not is one, too (timed_passes.h). Errors are
// ours, or say the same about the rival.
Result<Attempt<PairedComparison>> compare_paired(const Task& task, std::span<const Size> sizes,
                                                 Contender candidate, Contender rival,
                                                 Cache& references, Rounds rounds = {});

}  // namespace msci
