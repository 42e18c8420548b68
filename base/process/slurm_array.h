// Runs programs as the jobs of a Slurm array, on nodes that share a folder with us.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/process/run_command.h"

namespace msci {

struct SlurmOptions {
  std::vector<std::string> sbatch = {};  // further arguments: "--partition=gpu"
  std::chrono::milliseconds poll = std::chrono::seconds(1);
  unsigned attempts = 3;  // for a job, before all fail
};

struct SlurmJob {
  std::string name;                    // for errors
  std::vector<std::string> arguments;  // the program first
};

struct SlurmArray {
  std::string name;                    // as squeue lists it
  std::string folder;                  // that all nodes see: scripts and output while jobs run
  std::string working_folder;          // of the jobs; all nodes see it, too
  std::chrono::milliseconds limit{0};  // of a job, which is killed after it
  std::vector<SlurmJob> jobs;
};

// Submits all jobs as one array, and calls `on_result` for each that has ended. A job that Slurm no
// longer lists and that left no result, because its node failed, is submitted again. Errors: Slurm
// refuses, a job is lost too often, or the Error of `on_result`.
[[nodiscard]] std::optional<Error> run_slurm_array(const SlurmArray& array,
                                                   const SlurmOptions& options,
                                                   const OnCommandResult& on_result);

}  // namespace msci
