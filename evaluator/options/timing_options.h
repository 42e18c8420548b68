// How msci-eval times kernels, predicts their times and compares them.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "analysis/profile/chip.h"
#include "base/command_line/option_table.h"
#include "base/judging/timing_protocol.h"

namespace msci {

struct TimingOptions {
  std::string protocol = "steady";
  std::string predict;  // a chip; empty without a prediction
  bool cold = false;
  std::string rival;  // of --vs: a file, or "seed"; empty without
  std::string verify_result;
  std::string perf_result;
  std::string verified;
  bool skip_gate = false;

  // Whether the user names a file to compare with.
  bool has_rival_file() const { return !rival.empty() && rival != "seed"; }
};

// As CLI11 writes a type with choices, which help and completions show. find_chip() checks the
// name.
inline std::string chips_for_help() {
  std::vector<std::string_view> names;
  for (const auto& chip : chips()) names.push_back(chip.name);
  return fmt::format("CHIP:{{{}}}", fmt::join(names, ","));
}

inline std::vector<OptionRow> rows_of(TimingOptions& options) {
  return {
      option("--protocol", &options.protocol,
             "how often passes are timed: steady, until the mean is known to half a per cent, for "
             "at most a second; metal-sci, 3 warm-up and 10 timed passes, as in that benchmark; "
             "benchmark, 5 and 50",
             {.value = "NAME",
              .check = timing_protocol_names(),
              .shows_default = true,
              .kind = "timing",
              .in_key = true},
             {"protocol", "How passes of a timed verdict are timed.", "timed"}),
      option(
          "--predict", &options.predict,
          "predict the time of a pass on this chip of Apple; with --verify-only instead of "
          "timing it, else beside that",
          {.value = chips_for_help(), .in_key = true},
          {"chip",
           "Of a predicted verdict, whose times are for this chip only. Without it, they are for "
           "m1-pro, and each size has those for all chips, too.",
           "predicted"}),
      option("--cold", &options.cold, "empty the device's caches before each pass",
             {.kind = "timing", .in_key = true}),
      option(
          "--vs", &options.rival,
          "time right kernels in turns with this kernel, or with the task's seed (\"seed\"), and "
          "report the ratio with its interval; with --predict, compare predicted times, too; with "
          "--gate, take this kernel instead of the seed",
          {.value = "FILE"}),
      option("--verify-result", &options.verify_result,
             "write to this file which sizes are right (verify_result.json)",
             {.value = "FILE", .kind = "judging"}),
      option("--perf-result", &options.perf_result,
             "write to this file the times of the kernel and the seed (perf_result.json); refused "
             "unless a verify result of this kernel says that all sizes are right",
             {.value = "FILE", .kind = "timing"}),
      option("--verified", &options.verified,
             "the verify result for --perf-result (default: verify_result.json beside the perf "
             "result)",
             {.value = "FILE", .needs = "--perf-result"}),
      option("--skip-gate", &options.skip_gate, "time without a verify result",
             {.needs = "--perf-result", .excludes = {{"--verified"}}}),
  };
}

}  // namespace msci
