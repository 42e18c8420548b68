// The command line of msci-eval.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "frontend/compile_options.h"
#include "lint/flags/compile_arguments.h"
#include "plan/execution.h"

namespace msci {

struct EvaluatorOptions {
  std::vector<std::string> files;
  bool is_program = false;  // the files are translated programs
  std::vector<std::string> tasks;
  std::vector<std::string> kernels;    // to translate; all where it is empty
  std::vector<std::string> constants;  // "NAME=VALUE"
  CompileArguments compile;            // empty in a build without the front end
  CompileOptions compile_options;           // which `compile` says
  std::vector<std::string> devices = {""};  // as choose_device takes them
  std::optional<double> time_limit;         // seconds
  std::optional<unsigned> memory_limit;     // MiB
  Execution execution;
  bool json = false;
  std::string colour = "auto";  // of text output, as colour_for() takes it

  bool held_out = false;
  bool verify_only = false;
  std::string save_images;  // a folder; empty: none are saved
  bool stop_at_wrong = false;
  std::string verdict;  // strict or compatible; empty where the user leaves the choice
  unsigned fuzz_sizes = 0;
  std::string nonce;  // hexadecimal; a fresh one where empty
  std::string protocol = "steady";
  bool cold = false;
  std::string rival;    // of --vs: a file, or "seed"; empty without
  std::string predict;  // a chip; empty without a prediction
  std::string verify_result;
  std::string perf_result;
  std::string verified;
  bool skip_gate = false;

  // Whether the strict verdict decides, too: the gate's choice, if the user makes none.
  bool is_strict() const { return verdict.empty() ? gate : verdict == "strict"; }

  // Instead of judging.
  bool check = false;
  bool sarif = false;  // of --check
  bool prove = false;
  bool profile = false;
  bool gate = false;
  std::string emit;
  bool list_devices = false;
  bool server = false;
  std::string socket;  // empty: standard input and output
  unsigned jobs = 0;   // of the server; 0: one for each processor
  bool no_cache = false;
  unsigned cache_limit = 256;      // MiB of verdicts
  unsigned reference_limit = 512;  // MiB of expected results
  bool cache_info = false;
  bool cache_clear = false;
  std::string schema;

  // A batch on a Slurm cluster.
  std::string slurm;  // its folder, which all nodes see; empty: judge here
  unsigned nodes = 1;
  std::vector<std::string> sbatch;  // further arguments of sbatch
  double poll = 1;                  // seconds between queries
  // What the command line has beside the files and the options of Slurm.
  std::vector<std::string> arguments;
};

// Declares the options to the parser, which fills them.
void declare(CLI::App& app, EvaluatorOptions& options);

// The words of the parsed command line that EvaluatorOptions::arguments has.
std::vector<std::string> judging_arguments(const CLI::App& app, const EvaluatorOptions& options);

}  // namespace msci
