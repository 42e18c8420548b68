// msci-eval --page: connects the page with tasks, rules and the programs that judge and lint.
#pragma once

#include <string_view>
#include <vector>

#include "evaluator/options/eval_options.h"

namespace msci {

// Serves the page until a signal arrives; returns the exit code.
int open_page(const EvaluatorOptions& options);

// Wrong kernels of tasks that the page offers as examples, with the bugs that people make: files of
// corpus/cheats/.
struct ExampleBug {
  std::string_view name;  // "both_colours_at_once"
  std::string_view text;  // its first lines name the task and the class of the bug
};
extern const std::vector<ExampleBug> example_bugs;

}  // namespace msci
