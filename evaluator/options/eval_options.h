// The command line of msci-eval, as one table of all its options.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "compiler/frontend/compile_options.h"
#include "evaluator/options/cache_options.h"
#include "evaluator/options/candidate_options.h"
#include "evaluator/options/cluster_options.h"
#include "evaluator/options/device_options.h"
#include "evaluator/options/mode_options.h"
#include "evaluator/options/output_options.h"
#include "evaluator/options/page_options.h"
#include "evaluator/options/serving_options.h"
#include "evaluator/options/timing_options.h"
#include "evaluator/options/verdict_options.h"
#include "lint/flags/compile_arguments.h"

namespace msci {

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
