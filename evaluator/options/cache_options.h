// Which results msci-eval keeps for later runs.
#pragma once

#include <vector>

#include "evaluator/options/mode_options.h"

namespace msci {

struct CacheOptions {
  bool is_off = false;
  unsigned verdict_limit = 256;    // MiB
  unsigned reference_limit = 512;  // MiB of expected results
  bool info = false;
  bool clear = false;
};

inline std::vector<OptionRow> rows_of(CacheOptions& options) {
  const auto no_kernels = beside_modes({{"FILE"}, {"--task"}, {"--plan"}, {"--vs"}, {"--predict"}});
  return {
      {.names = "--no-cache",
       .target = &options.is_off,
       .about = "judge equal texts again, and keep no verdict"},
      {.names = "--cache-limit",
       .target = &options.verdict_limit,
       .value = "MIB",
       .about = "MiB of verdicts that are kept (default: 256); timed ones are never kept",
       .check = OptionRange{1, 1 << 20}},
      {.names = "--reference-limit",
       .target = &options.reference_limit,
       .value = "MIB",
       .about = "MiB of expected results that are kept (default: 512)",
       .check = OptionRange{1, 1 << 20}},
      {.names = "--cache-info",
       .target = &options.info,
       .about = "print what the cache holds: verdicts, references, ceilings",
       .kind = "mode",
       .excludes = no_kernels},
      {.names = "--cache-clear",
       .target = &options.clear,
       .about = "remove all that the cache holds",
       .kind = "mode",
       .excludes = no_kernels},
  };
}

}  // namespace msci
