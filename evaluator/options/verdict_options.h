// What decides whether a kernel is right, and how much of a task is judged.
#pragma once

#include <string>
#include <vector>

#include "base/command_line/option_table.h"
#include "base/judging/nonce.h"
#include "evaluator/options/order_option.h"
#include "plan/execution.h"

namespace msci {

struct VerdictOptions {
  bool held_out = false;
  bool verify_only = false;
  std::string save_images;  // a folder; empty: none are saved
  Execution execution;
  std::string decides;  // strict or compatible; empty where the user leaves the choice
  unsigned fuzz_sizes = 0;
  std::string nonce;  // hexadecimal; a fresh one where empty
  bool stop_at_wrong = false;

  // Whether the user asks for the strict verdict, or for a part of it.
  bool asks_strictly() const { return decides == "strict" || fuzz_sizes > 0 || !nonce.empty(); }
};

inline std::vector<OptionRow> rows_of(VerdictOptions& options) {
  return {
      {.names = "--held-out",
       .target = &options.held_out,
       .about = "evaluate the held-out size too, once all others are right",
       .kind = "judging",
       .in_key = true,
       .field = {"held_out", "Whether the held-out size is judged, too."}},
      {.names = "--verify-only",
       .target = &options.verify_only,
       .about = "judge, but do not time",
       .kind = "judging",
       .excludes = {{"timing"}, {.what = "--vs", .unless = "--predict"}},
       .in_key = true},
      {.names = "--save-images",
       .target = &options.save_images,
       .value = "FOLDER",
       .about = "write the results that are textures to PNG files in this folder, with the "
                "expected ones beside them"},
      order_option(options.execution),
      {.names = "--verdict",
       .target = &options.decides,
       .value = "VERDICT",
       .about = "what decides: compatible, the benchmark's verdict; or strict, which must accept "
                "the kernel, too, and looks at further sizes and at each access (default: "
                "compatible; strict with --gate)",
       .check = std::vector<std::string>{"compatible", "strict"},
       .kind = "strictness",
       .excludes = {{"--strict"}},
       .in_key = true},
      {.names = "--strict",
       .target = [&options] { options.decides = "strict"; },
       .about = "the same as --verdict strict",
       .kind = "strictness"},
      {.names = "--fuzz-sizes",
       .target = &options.fuzz_sizes,
       .value = "N",
       .about = "number of additional random sizes for the strict verdict",
       .check = OptionRange{0, 1000},
       .kind = "judging",
       .in_key = true,
       .field = {"fuzz_sizes", "Further random sizes of the strict verdict."}},
      {.names = "--nonce",
       .target = &options.nonce,
       .value = "HEX",
       .about = "hexadecimal; repeats the strict verdict's inputs of the run that reported it",
       .check = [](const std::string& text) { return is_nonce(text) ? "" : not_a_nonce; },
       .kind = "strictness",
       .in_key = true,
       .field = {.name = "nonce",
                 .about = "Of the strict verdict's inputs; a fresh one by default.",
                 .pattern = "^[0-9a-fA-F]{1,16}$"}},
      {.names = "--stop-at-wrong",
       .target = &options.stop_at_wrong,
       .about = "skip the sizes after the first wrong one",
       .kind = "judging",
       .in_key = true,
       .field = {"stop_at_wrong", "Whether the sizes after the first wrong one are left out."}},
  };
}

}  // namespace msci
