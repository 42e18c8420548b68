// The command line of msci-eval, as one table of all its options.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/command_line/colour_option.h"
#include "base/command_line/option_table.h"
#include "base/json.h"
#include "compiler/frontend/compile_options.h"
#include "evaluator/options/mode_options.h"
#include "evaluator/options/timing_options.h"
#include "evaluator/options/verdict_options.h"
#include "lint/flags/compile_arguments.h"

namespace msci {

// Which kernels are judged, and on which tasks.
struct CandidateOptions {
  std::vector<std::string> files;
  bool is_program = false;  // the files are translated programs
  std::vector<std::string> tasks;
  std::vector<std::string> kernels;    // to translate; all where it is empty
  std::vector<std::string> constants;  // "NAME=VALUE"
};

inline std::string complaint_about_constant(const std::string& text) {
  const auto at = text.find('=');
  const bool fits = at != std::string::npos && at > 0 && at + 1 < text.size();
  return fits ? "" : "must be NAME=VALUE";
}

inline std::vector<OptionRow> rows_of(CandidateOptions& options) {
  return {
      option("FILE", &options.files, "the kernels to evaluate, one after the other",
             {.kind = "candidates", .is_local = true}),
      option("--program", &options.is_program,
             "each FILE, also that of --vs, is a translated program, printed by --emit opencl",
             {.excludes = {{"compilation"}, {"translation"}}}),
      option("--task,--tasks", &options.tasks,
             "the task that the kernels are written for: a name of msci-tasks, or a plan file; "
             "several with commas, or all, those of the benchmark",
             {.value = "TASK", .splits_commas = true, .kind = "candidates"}),
      option("--kernel", &options.kernels,
             "translate only the kernels of this name, as the host calls them; '*' stands for any "
             "text; several with commas",
             {.value = "NAME", .splits_commas = true, .kind = "translation", .in_key = true}),
      option("--set", &options.constants, "give a function constant this value (repeatable)",
             {.value = "NAME=VALUE",
              .check = complaint_about_constant,
              .kind = "translation",
              .in_key = true}),
      option("--plan", TextTarget{[&options](const std::string& file) {
               // A path, also where it does not look like one.
               options.tasks = {file.find('/') == file.npos ? "./" + file : file};
             }},
             "a task of your own: a JSON file, as in docs/reference/plan_file.md; the same as "
             "--task FILE",
             {.value = "FILE", .kind = "candidates", .excludes = {{"--task"}}}),
  };
}

// Where kernels run, and within which limits.
struct DeviceOptions {
  std::vector<std::string> names = {""};  // as choose_device takes them
  std::optional<double> time_limit;       // seconds
  std::optional<unsigned> memory_limit;   // MiB, for linting and translating a file

  // For the run of each size, and for a plan's reference.
  std::chrono::milliseconds run_limit() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::duration<double>(time_limit.value_or(120)));
  }
};

inline std::vector<OptionRow> rows_of(DeviceOptions& options) {
  return {
      option("--device", &options.names,
             "an index of --list-devices, PLATFORM:DEVICE, part of a name, a back end of that list "
             "such as cpu, or pocl (default: the first of the list; for a translated program, the "
             "first OpenCL device); with several, separated by commas, each free device takes the "
             "next "
             "kernel",
             {.value = "DEVICE", .splits_commas = true}),
      option("--time-limit", &options.time_limit,
             "seconds for the run of each size and for a plan's reference (default: 120), and of "
             "processor time for linting and translating a file (default: 10)",
             {.value = "SECONDS", .check = OptionRange{0.001, 1e6}, .in_key = true}),
      option("--memory-limit", &options.memory_limit,
             "MiB of memory for linting and translating a file (default: 900)",
             {.value = "MIB",
              .check = OptionRange{64, 1 << 20},
              .kind = "translation",
              .in_key = true}),
  };
}

// How results are printed.
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

// The server.
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

// Which results are kept for later runs.
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

// A batch on a Slurm cluster.
struct ClusterOptions {
  std::string folder;  // which all nodes see; empty: judge here
  unsigned nodes = 1;
  std::vector<std::string> sbatch;  // further arguments of sbatch
  double poll = 1;                  // seconds between queries
};

inline std::vector<OptionRow> rows_of(ClusterOptions& options) {
  return {
      option(
          "--slurm", &options.folder,
          "judge the FILEs on the nodes of a Slurm cluster; all nodes must see the files and this "
          "folder, which keeps the results of a batch that was interrupted (docs/guide/judging.md)",
          {.value = "FOLDER",
           .excludes = {{"--verify-result"}, {"--perf-result"}, {"--save-images"}},
           .is_local = true}),
      option("--nodes", &options.nodes, "jobs that share the FILEs",
             {.value = "N",
              .check = OptionRange{1, 100'000},
              .shows_default = true,
              .needs = "--slurm",
              .is_local = true}),
      option("--sbatch", &options.sbatch,
             "an argument for sbatch, such as --sbatch=--exclusive (repeatable)",
             {.value = "ARGUMENT", .needs = "--slurm", .is_local = true}),
      option("--poll", &options.poll, "seconds between queries to Slurm",
             {.value = "SECONDS",
              .check = OptionRange{0.01, 3600},
              .shows_default = true,
              .needs = "--slurm",
              .is_local = true}),
  };
}

struct EvaluatorOptions {
  CandidateOptions candidates;
  DeviceOptions devices;
  OutputOptions output;
  CompileArguments compile_arguments;
  CompileOptions compile;  // which `compile_arguments` say
  VerdictOptions verdict;
  TimingOptions timing;
  ModeOptions mode;
  ServingOptions serving;
  PageOptions page;
  CacheOptions cache;
  ClusterOptions cluster;
  // The words of the command line that each job of a batch repeats.
  std::vector<std::string> shared_arguments;

  // Whether the strict verdict decides, too: the gate's choice, if the user makes none.
  bool is_strict() const {
    return verdict.decides.empty() ? mode.gate : verdict.decides == "strict";
  }
  // Whether the strict verdict has a certificate.
  bool is_certified() const { return is_strict() && !verdict.skips_certificate; }
  // Whether the kernels that are judged count what they do.
  bool counts_work() const {
    return mode.profile || (verdict.verify_only && !timing.predict.empty());
  }
};

// All options, which fill their members.
OptionTable table_of(EvaluatorOptions& options);

// Declares the options to the parser, which fills them.
void declare(CLI::App& app, EvaluatorOptions& options);

// What a kept verdict depends on, as far as options say it: those that are marked so in the table,
// and how sources are compiled.
OrderedJson key_of(const EvaluatorOptions& options);

// The words of the parsed command line that EvaluatorOptions::shared_arguments has.
std::vector<std::string> shared_arguments(const CLI::App& app, EvaluatorOptions& options);

}  // namespace msci
