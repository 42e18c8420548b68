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
  return {
      option("--no-cache", &options.is_off, "judge equal texts again, and keep no verdict",
             {.kind = "verdicts", .excludes = {{"--cache-limit"}}}),
      option("--cache-limit", &options.verdict_limit,
             "MiB of verdicts that are kept (default: 256); timed ones are never kept",
             {.value = "MIB", .check = OptionRange{1, 1 << 20}, .kind = "verdicts"}),
      option("--reference-limit", &options.reference_limit,
             "MiB of expected results that are kept (default: 512)",
             {.value = "MIB", .check = OptionRange{1, 1 << 20}}),
      option("--cache-info", &options.info,
             "print what the cache holds: verdicts, references, ceilings",
             {.kind = "mode", .beside = with_colours({"--json"})}),
      option("--cache-clear", &options.clear, "remove all that the cache holds",
             {.kind = "mode", .beside = with_colours({})}),
  };
}

}  // namespace msci
