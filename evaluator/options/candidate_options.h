// Which kernels msci-eval judges, and on which tasks.
#pragma once

#include <string>
#include <vector>

#include "base/command_line/option_table.h"

namespace msci {

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

}  // namespace msci
