// What msci-eval does instead of judging kernels.
#pragma once

#include <string>
#include <vector>

#include "base/command_line/option_table.h"

namespace msci {

struct ModeOptions {
  bool check = false;
  bool sarif = false;  // of --check
  bool prove = false;
  bool profile = false;
  bool gate = false;
  std::string emit;
  bool list_devices = false;
  std::string schema;

  // Whether kernels run with checks or counters instead of being judged: only the processor's
  // engine has them.
  bool is_instrumented() const { return check || prove || profile; }
  // The option that asks for that.
  const char* name_of_instrumented() const {
    return check ? "--check" : prove ? "--prove" : "--profile";
  }
};

// What a mode excludes: other modes, all options of judging, and what it names itself.
inline std::vector<Exclusion> beside_modes(std::vector<Exclusion> more) {
  more.insert(more.begin(), {{"mode"}, {"judging"}, {"timing"}, {"--slurm"}, {"strictness"}});
  return more;
}

inline std::vector<OptionRow> rows_of(ModeOptions& options) {
  constexpr const char* no_task =
      "--emit translates the FILE that you name and runs no task: leave --task and --plan out, or "
      "print a task's kernel first: msci-tasks seed NAME > kernel.metal";
  return {
      option("--check", &options.check,
             "run once at a small size and check every access, instead of judging; on the device "
             "cpu, whatever --device says",
             {.kind = "mode", .excludes = beside_modes({{"--vs"}, {"--predict"}})}),
      option("--sarif", &options.sarif, "with --check: one SARIF document instead of text",
             {.needs = "--check", .excludes = {{"--json"}}}),
      // A proof, too, may be about the held-out size.
      option("--prove", &options.prove,
             "prove for all threads, orders and data that no thread races or leaves its buffers, at "
             "each size; what is refuted is run in the checked mode (docs/proofs.md)",
             {.kind = "mode",
              .excludes = {{"mode"},
                           {"--verify-only"},
                           {"--save-images"},
                           {"--order"},
                           {"--stop-at-wrong"},
                           {"timing"},
                           {"--slurm"},
                           {"strictness"},
                           {"--vs"},
                           {"--predict"},
                           {"--program"}}}),
      option("--profile", &options.profile,
             "run once and tell what the kernel does, line by line, and what bounds it on an Apple "
             "GPU; on the device cpu, whatever --device says",
             {.kind = "mode", .excludes = beside_modes({{"--vs"}})}),
      option("--gate", &options.gate,
             "compare with the seed at the held-out size: generalises, silent-incorrect or "
             "silent-regression; incorrect if a shown size is wrong already",
             {.kind = "mode", .excludes = {{"mode"}, {"judging"}, {"timing"}, {"--slurm"}}}),
      option("--emit", &options.emit,
             "print the translation instead of running it, or the code with the lines of its source; "
             "apple, apple-m2: machine code of an M1 or M2, where Mesa's compiler is installed "
             "(docs/apple_code.md)",
             {.value = "LANGUAGE",
              .check = OneOf{"opencl", "llvm-ir", "assembly", "apple", "apple-m2"},
              .kind = "mode",
              .excludes = beside_modes({{.what = "--task", .message = no_task},
                                        {.what = "--plan", .message = no_task},
                                        {"--vs"},
                                        {"--json"}})}),
      option(
          "--list-devices", &options.list_devices, "list the devices for --device",
          {.kind = "mode", .excludes = beside_modes({{"FILE"}, {"--task"}, {"--plan"}, {"--vs"}})}),
      option("--schema", &options.schema,
             "print the JSON schema of --json, which describes each field; of --check --json, "
             "--gate --json or --profile --json; or that of a request to --server",
             {.value = "NAME",
              .check = OneOf{"evaluation", "check", "gate", "profile", "judge_request"},
              .kind = "mode",
              .excludes = beside_modes({{"FILE"}, {"--task"}, {"--plan"}, {"--vs"}, {"--json"}})}),
  };
}

}  // namespace msci
