// Where msci-eval runs kernels, and within which limits.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/command_line/option_table.h"

namespace msci {

struct DeviceOptions {
  std::vector<std::string> names = {""};  // as choose_device takes them
  std::optional<double> time_limit;       // seconds
  std::optional<unsigned> memory_limit;   // MiB, for linting and translating a file

  // For the run of each size, and for a plan's reference.
  std::chrono::milliseconds run_limit() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::duration<double>(time_limit.value_or(120)));
  }
};

inline std::vector<OptionRow> rows_of(DeviceOptions& options) {
  return {
      option("--device", &options.names,
             "an index of --list-devices, PLATFORM:DEVICE, part of a name, a back end of that list "
             "such as cpu, or pocl (default: the first of the list; for a translated program, the "
             "first OpenCL device); with several, separated by commas, each free device takes the "
             "next "
             "kernel",
             {.value = "DEVICE", .splits_commas = true}),
      option("--time-limit", &options.time_limit,
             "seconds for the run of each size and for a plan's reference (default: 120), and of "
             "processor time for linting and translating a file (default: 10)",
             {.value = "SECONDS", .check = OptionRange{0.001, 1e6}, .in_key = true}),
      option("--memory-limit", &options.memory_limit,
             "MiB of memory for linting and translating a file (default: 900)",
             {.value = "MIB",
              .check = OptionRange{64, 1 << 20},
              .kind = "translation",
              .in_key = true}),
  };
}

}  // namespace msci
