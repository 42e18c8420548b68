// What msci-eval does instead of judging kernels.
#pragma once

#include <string>
#include <vector>

#include "base/command_line/option_table.h"
#include "tasks/plan/assumption/assumption.h"

namespace msci {

struct ModeOptions {
  bool check = false;
  bool sarif = false;  // of --check
  // Of --check: how many runs with other inputs, and where a plan of them is written.
  unsigned inputs = 0;
  std::string save_plan;
  bool prove = false;
  std::vector<std::string> assumptions;  // of --prove and --check
  bool profile = false;
  bool numerics = false;
  bool gate = false;
  std::string reduce;  // what a kernel keeps while it shrinks; empty: it is not reduced
  std::string save_kernel;
  unsigned reduce_seconds = 300;
  std::string emit;
  std::string tune;  // of the help alone: driver/eval_main.cpp starts msci-search first
  bool list_devices = false;
  bool list_faults = false;
  std::string schema;

  // Whether kernels run with checks or counters instead of being judged: only the processor's
  // engine has them.
  bool is_instrumented() const { return check || prove || profile; }
  // Whether results are compared with expected ones, which a plan must then have.
  bool is_judging() const { return !is_instrumented() && (reduce.empty() || reduce == "wrong"); }
  // Whether kernels run on the processor's engine, whatever --device says.
  bool needs_processor() const { return is_instrumented() || numerics || !reduce.empty(); }
  // The option that asks for that, and what only that engine does.
  const char* name_of_processor_mode() const {
    return check      ? "--check"
           : prove    ? "--prove"
           : profile  ? "--profile"
           : numerics ? "--numerics"
                      : "--reduce";
  }
  const char* reason_for_processor() const {
    return profile    ? "counts what kernels do"
           : numerics ? "chooses the meaning of arithmetic"
                      : "checks accesses";
  }
};

inline std::string complaint_about_assumption(const std::string& text) {
  const auto read = parse_assumption(text);
  return read ? "" : read.error().message;
}

// What has an effect beside a mode. Colours are for text: where a mode has none, they are asked of
// nothing.
inline std::vector<const char*> with_colours(std::vector<const char*> beside) {
  beside.push_back("--color");
  return beside;
}

// The same for a mode that compiles and runs kernels.
inline std::vector<const char*> beside_runs(const std::vector<const char*>& more) {
  auto beside =
      with_colours({"candidates", "compilation", "translation", "--device", "--time-limit"});
  beside.insert(beside.end(), more.begin(), more.end());
  return beside;
}

inline std::vector<OptionRow> rows_of(ModeOptions& options) {
  constexpr const char* no_task =
      "--emit translates the FILE that you name and runs no task: leave --task and --plan out, or "
      "print a task's kernel first: msci-tasks seed NAME > kernel.metal";
  return {
      option("--check", &options.check,
             "run once at a small size and check every access, instead of judging; on the device "
             "cpu, whatever --device says",
             {.kind = "mode", .beside = beside_runs({"--program", "--json", "--assume"})}),
      option("--sarif", &options.sarif, "with --check: one SARIF document instead of text",
             {.needs = "--check", .excludes = {{"--json"}}}),
      option("--inputs", &options.inputs,
             "with --check and --plan: where the plan's own inputs show no fault, look for others "
             "that do, in at most N further runs (docs/guide/inputs.md)",
             {.value = "N", .check = OptionRange{1, 1e6}, .needs = "--check"}),
      option("--save-plan", &options.save_plan,
             "with --inputs: write a plan with the inputs that show the fault to this file",
             {.value = "FILE", .needs = "--inputs"}),
      // A proof, too, may be about the held-out size.
      option(
          "--prove", &options.prove,
          "prove for all threads, orders and data that no thread races or leaves its buffers, at "
          "each size; what is refuted is run in the checked mode (docs/concepts/proofs.md)",
          {.kind = "mode", .beside = beside_runs({"--json", "--assume", "--held-out"})}),
      option("--assume", &options.assumptions,
             "with --prove or --check: a fact that only you know, such as 'n % 4 == 0'; proofs use "
             "it, and a checked run tests it (repeatable; docs/concepts/proofs.md)",
             {.value = "CONDITION",
              .check = OptionTest(complaint_about_assumption),
              .excludes = {{"--inputs"}}}),
      option("--profile", &options.profile,
             "run once and tell what the kernel does, line by line, and what bounds it on an Apple "
             "GPU; on the device cpu, whatever --device says",
             {.kind = "mode", .beside = beside_runs({"--program", "--json", "--predict"})}),
      option("--numerics", &options.numerics,
             "run under each meaning of arithmetic that fast math allows, and tell where results "
             "leave the tolerance; on the device cpu, whatever --device says",
             {.kind = "mode", .beside = beside_runs({"--program", "--json", "--reference-limit"})}),
      option("--gate", &options.gate,
             "compare with the seed at the held-out size: generalises, silent-incorrect or "
             "silent-regression; incorrect if a shown size is wrong already",
             {.kind = "mode",
              .beside = beside_runs({"--program", "--json", "--vs", "--predict", "strictness",
                                     "--reference-limit"})}),
      option("--reduce", &options.reduce,
             "shrink the FILE while it keeps a finding of lint (its id), a fault of --check "
             "(check.race), a refusal or a wrong result (docs/guide/reducing.md)",
             {.value = "WHAT", .kind = "mode", .beside = beside_runs({})}),
      option("--save-kernel", &options.save_kernel,
             "with --reduce: write the small kernel to this file instead of standard output",
             {.value = "FILE", .needs = "--reduce"}),
      option("--reduce-time", &options.reduce_seconds, "seconds that --reduce may take",
             {.value = "SECONDS", .shows_default = true, .needs = "--reduce"}),
      option("--tune", &options.tune,
             "try other values of what this kernel says may change: another name of msci-search "
             "--tune FILE, with the options of that program (docs/guide/search.md#tuning)",
             {.value = "FILE", .kind = "mode", .beside = std::vector<const char*>()}),
      option("--emit", &options.emit, "print the translation, or code with the lines of its source",
             {.value = "LANGUAGE",
              .check = OneOf{"opencl", "llvm-ir", "assembly", "apple", "apple-m2"},
              .kind = "mode",
              .excludes = {{.what = "--task", .message = no_task},
                           {.what = "--plan", .message = no_task}},
              .beside = with_colours(
                  {"FILE", "--program", "compilation", "translation", "--time-limit", "--json"})}),
      option("--list-devices", &options.list_devices, "list the devices for --device",
             {.kind = "mode", .beside = with_colours({"--json"})}),
      option("--list-faults", &options.list_faults,
             "list the kinds of faults that --check finds, with their ids and what they mean",
             {.kind = "mode", .beside = with_colours({})}),
      option(
          "--schema", &options.schema,
          "print the JSON schema of --json, which describes each field; of --check --json, "
          "--gate --json, --numerics --json or --profile --json; or that of a request to --server",
          {.value = "NAME",
           .check = OneOf{"evaluation", "check", "gate", "numerics", "profile", "judge_request"},
           .kind = "mode",
           .beside = with_colours({})}),
  };
}

}  // namespace msci
