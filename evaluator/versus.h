// Two kernels measured against each other: in turns within one session, so that clocks, neighbours
// and caches disturb both alike.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluator/device/device.h"
#include "evaluator/measure/ratio.h"
#include "evaluator/task.h"

namespace msci {

// In each round both run `turn`, one after the other; who goes first alternates, for order alone
// was seen to move a ratio by a quarter.
struct Rounds {
  unsigned count = 12;
  Repeats turn = {.warmup = 1, .timed = 3};
};

// The least gain that is worth telling; equal kernels were found further apart once in 353
// comparisons (docs/measuring.md).
constexpr double least_gain = 0.02;

// Seconds of turns of a candidate and of its rival at one size; the i-th of one was measured beside
// the i-th of the other.
struct PairedTimes {
  std::string label;  // the size's
  std::vector<double> candidate;
  std::vector<double> rival;
  bool operator==(const PairedTimes&) const = default;
};

struct Versus {
  std::vector<PairedTimes> sizes;  // of each round the median

  Ratio at(std::size_t size) const;
  // Over all sizes: of each round the geometric mean.
  Ratio overall() const;
  // Whether the candidate is faster, or slower, by more than that share, beyond doubt.
  bool is_faster(double margin = least_gain) const;
  bool is_slower(double margin = least_gain) const;
  bool operator==(const Versus&) const = default;
};

// A kernel and the device that runs it.
struct Contender {
  const Translation& translation;
  Device& device;
};

// Both are built anew for each round, which on a worker device is a process each: two processes
// with the same kernel were seen to differ by a third for as long as both live (docs/measuring.md),
// so rounds within one pair of them do not count as many. A Failure is of the candidate, and says
// at which size. Errors are ours, or say that the rival does not run.
Result<Attempt<Versus>> compare_in_turns(const Task& task, std::span<const Size> sizes,
                                         Contender candidate, Contender rival, Rounds rounds = {});

}  // namespace msci
