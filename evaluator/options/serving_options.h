// The server of msci-eval.
#pragma once

#include <string>
#include <vector>

#include "evaluator/options/mode_options.h"

namespace msci {

struct ServingOptions {
  bool serves = false;
  std::string socket;  // empty: standard input and output
  std::string http;    // "ADDRESS:PORT"; empty: none
  unsigned jobs = 0;   // 0: one for each processor
};

inline std::vector<OptionRow> rows_of(ServingOptions& options) {
  return {
      // Each request says what it wants.
      option("--server", &options.serves,
             "read requests as JSON lines from standard input, and judge until it ends "
             "(docs/guide/judging.md)",
             {.kind = "mode",
              .beside = with_colours({"compilation", "translation", "--device", "--time-limit",
                                      "verdicts", "--reference-limit"})}),
      option("--socket", &options.socket,
             "with --server: serve many clients on a Unix socket at this path",
             {.value = "PATH", .needs = "--server"}),
      option("--http", &options.http,
             "with --server: serve HTTP at this address of IPv4, such as 127.0.0.1:8000 (port 0: a "
             "free one); requests bring the token in MSCI_HTTP_TOKEN, or the one that is printed",
             {.value = "ADDRESS:PORT",
              .needs = "--server",
              .excludes = {{"--socket"}},
              .is_local = true}),
      option("--jobs", &options.jobs,
             "with --server: kernels judged at once (default: one per processor); a kernel that is "
             "timed on the processor runs alone",
             {.value = "N", .check = OptionRange{1, 1024}, .needs = "--server"}),
  };
}

}  // namespace msci
