// What the processor counts of this process: instructions and cycles, in user mode.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"

namespace msci {

struct Counts {
  double instructions = 0;
  double cycles = 0;
};

// Counts for all threads that start after it was opened.
class ProcessorCounters {
 public:
  // Errors: the system does not allow it, or the processor (a virtual machine's, say) has none.
  static Result<std::unique_ptr<ProcessorCounters>> open();
  ~ProcessorCounters();
  ProcessorCounters(const ProcessorCounters&) = delete;
  ProcessorCounters& operator=(const ProcessorCounters&) = delete;

  // Since it was opened.
  Counts read() const;

 private:
  ProcessorCounters(int instructions, int cycles) : instructions_(instructions), cycles_(cycles) {}

  int instructions_;
  int cycles_;
};

}  // namespace msci
