// The page of msci-eval.
#pragma once

#include <vector>

#include "evaluator/options/mode_options.h"

namespace msci {

struct PageOptions {
  bool opens = false;
  unsigned port = 0;  // 0: a free one
};

inline std::vector<OptionRow> rows_of(PageOptions& options) {
  return {
      // The page says what it wants judged.
      option("--page", &options.opens,
             "edit kernels in the browser, beside what msci says of them; FILE, or a folder of "
             "Metal sources, is what it opens (docs/guide/page.md)",
             {.kind = "mode",
              .beside = with_colours({"candidates", "compilation", "--device", "--time-limit"})}),
      option("--port", &options.port, "with --page: the port (default: a free one)",
             {.value = "N", .check = OptionRange{1, 65535}, .needs = "--page"}),
  };
}

}  // namespace msci
