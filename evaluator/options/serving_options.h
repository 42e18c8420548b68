// The server of msci-eval.
#pragma once

#include <string>
#include <vector>

#include "evaluator/options/mode_options.h"

namespace msci {

struct ServingOptions {
  bool serves = false;
  std::string socket;  // empty: standard input and output
  unsigned jobs = 0;   // 0: one for each processor
};

inline std::vector<OptionRow> rows_of(ServingOptions& options) {
  return {
      {.names = "--server",
       .target = &options.serves,
       .about = "read requests as JSON lines from standard input, and judge until it ends "
                "(docs/judging.md)",
       .kind = "mode",
       // Each request says what it wants.
       .excludes = beside_modes(
           {{"FILE"}, {"--task"}, {"--plan"}, {"--vs"}, {"--predict"}, {"--json"}, {"--program"}})},
      {.names = "--socket",
       .target = &options.socket,
       .value = "PATH",
       .about = "with --server: serve many clients on a Unix socket at this path",
       .needs = "--server"},
      {.names = "--jobs",
       .target = &options.jobs,
       .value = "N",
       .about = "with --server: kernels judged at once (default: one per processor); a timed "
                "kernel always runs alone",
       .check = OptionRange{1, 1024},
       .needs = "--server"},
  };
}

}  // namespace msci
