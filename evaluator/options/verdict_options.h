// What decides whether a kernel is right, and how much of a task is judged.
#pragma once

#include <string>
#include <vector>

#include "base/command_line/option_table.h"
#include "base/judging/nonce.h"
#include "tasks/plan/execution.h"

namespace msci {

// The option --order of programs that run kernels.
inline OptionRow order_option(Execution& execution) {
  const TextTarget target{
      .set = [&execution](const std::string& text) { execution = *execution_from(text); },
      .get = [&execution] { return to_string(execution); }};
  const auto complaint = [](const std::string& text) {
    const auto read = execution_from(text);
    return read ? std::string() : read.error().message;
  };
  return option(
      "--order", target,
      "on the device cpu: run threadgroups and simdgroups forward, reversed or in an order "
      "drawn from a hexadecimal key, on one core; parallel, the default, uses all cores; "
      "with lanes: before it, each lane runs alone, in that order, too",
      {.check = complaint, .kind = "judging", .in_key = true});
}

struct VerdictOptions {
  bool held_out = false;
  bool verify_only = false;
  std::string save_images;  // a folder; empty: none are saved
  Execution execution;
  std::string decides;  // strict or compatible; empty where the user leaves the choice
  bool refuses_unexecuted = false;
  bool skips_certificate = false;
  unsigned fuzz_sizes = 0;
  std::string nonce;  // hexadecimal; a fresh one where empty
  bool stop_at_wrong = false;
  std::vector<std::string> judged_programs;  // digests

  // Whether the user asks for the strict verdict, or for a part of it.
  bool asks_strictly() const { return decides == "strict" || fuzz_sizes > 0 || !nonce.empty(); }
};

inline std::vector<OptionRow> rows_of(VerdictOptions& options) {
  return {
      option("--held-out", &options.held_out,
             "evaluate the held-out size too, once all others are right",
             {.kind = "judging", .in_key = true},
             {"held_out", "Whether the held-out size is judged, too."}),
      option("--verify-only", &options.verify_only, "judge, but do not time",
             {.kind = "judging",
              .excludes = {{"timing"}, {.what = "--vs", .unless = "--predict"}},
              .in_key = true}),
      option("--save-images", &options.save_images,
             "write the results that are textures to PNG files in this folder, with the expected "
             "ones beside them",
             {.value = "FOLDER"}),
      order_option(options.execution),
      option("--verdict", &options.decides,
             "what decides: compatible, the benchmark's verdict; or strict, which must accept the "
             "kernel, too, and looks at further sizes and at each access (default: compatible; "
             "strict with --gate)",
             {.value = "VERDICT",
              .check = OneOf{"compatible", "strict"},
              .kind = "strictness",
              .excludes = {{"--strict"}},
              .in_key = true}),
      option("--strict", [&options] { options.decides = "strict"; }, "the same as --verdict strict",
             {.kind = "strictness"}),
      option("--require-executed", &options.refuses_unexecuted,
             "with --strict, do not accept a kernel with code that no judged run has executed",
             {.kind = "strictness", .in_key = true}),
      option("--no-certificate", &options.skips_certificate,
             "with --strict, do not record which code the judged runs execute: faster, but no size "
             "is made for code that no other size executes",
             {.kind = "strictness", .excludes = {{"--require-executed"}}, .in_key = true},
             {"no_certificate", "Whether the strict verdict lacks its certificate.", "strict"}),
      option("--fuzz-sizes", &options.fuzz_sizes,
             "number of additional random sizes for the strict verdict",
             {.value = "N", .check = OptionRange{0, 1000}, .kind = "judging", .in_key = true},
             {"fuzz_sizes", "Further random sizes of the strict verdict."}),
      option("--nonce", &options.nonce,
             "repeat the inputs of a strict verdict, which prints its nonce (hexadecimal)",
             {.value = "HEX",
              .check = [](const std::string& text) { return is_nonce(text) ? "" : not_a_nonce; },
              .kind = "strictness",
              .in_key = true},
             {.name = "nonce",
              .about = "Of the strict verdict's inputs; a fresh one by default.",
              .pattern = "^[0-9a-fA-F]{1,16}$"}),
      option(
          "--stop-at-wrong", &options.stop_at_wrong,
          "skip the sizes after the first wrong one, and the rounds of --vs once the kernel cannot "
          "be shown to be faster",
          {.kind = "judging", .in_key = true},
          {"stop_at_wrong", "Whether the sizes after the first wrong one are left out."}),
      option(
          "--judged-program", &options.judged_programs,
          "do not judge a kernel that compiles to this program, as \"program\" of --json names it "
          "(repeatable)",
          {.value = "DIGEST", .kind = "judging", .in_key = true}),
  };
}

}  // namespace msci
