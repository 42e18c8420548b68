// Two kernels measured in turns, so that what disturbs one disturbs the other, too: clocks that
// change, neighbours on the machine, caches.
#pragma once

#include <vector>

#include "evaluator/device/device.h"
#include "evaluator/paired.h"
#include "evaluator/task.h"

namespace msci {

// How often: `rounds` turns of each, `passes` timed passes a turn after an untimed one. Who comes
// first alternates.
struct Turns {
  unsigned rounds = 5;
  unsigned passes = 2;
};

// The times at those sizes of two kernels that are known to run there. A Failure is the kernel's
// that did not run this time.
Result<Attempt<std::vector<PairedTimes>>> measure_in_turns(const Task& task,
                                                           std::span<const Size> sizes,
                                                           const Translation& candidate,
                                                           const Translation& rival, Device& device,
                                                           Turns turns = {});

}  // namespace msci
