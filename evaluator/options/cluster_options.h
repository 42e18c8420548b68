// A batch of msci-eval on a Slurm cluster.
#pragma once

#include <string>
#include <vector>

#include "base/command_line/option_table.h"

namespace msci {

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

}  // namespace msci
