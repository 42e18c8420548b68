// msci-eval --slurm: judges many files on the nodes of a Slurm cluster.
#pragma once

#include "evaluator/options/eval_options.h"

namespace msci {

// Splits the files among the jobs of an array, each of which runs msci-eval with all other options
// on its share, and prints the results in the order of the files. Results that the folder has from
// an earlier run of the same batch are not computed again. Returns the exit code.
int judge_on_slurm(const EvaluatorOptions& options);

}  // namespace msci
