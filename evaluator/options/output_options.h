// How msci-eval prints results.
#pragma once

#include <string>
#include <vector>

#include "base/command_line/colour_option.h"

namespace msci {

struct OutputOptions {
  bool json = false;
  std::string colour = "auto";  // of text output, as colour_for() takes it
  bool skips_diagnosis = false;
};

inline std::vector<OptionRow> rows_of(OutputOptions& options) {
  return {
      option("--json", &options.json, "one JSON object per line instead of text"),
      colour_option(options.colour),
      option("--no-diagnosis", &options.skips_diagnosis,
             "after the wrong result of a single kernel, do not look for the cause, which takes up "
             "to 20 seconds",
             {.kind = "judging"}),
  };
}

}  // namespace msci
