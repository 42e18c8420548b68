#include "evaluator/options/eval_options.h"

#include <CLI/CLI.hpp>

namespace msci {
namespace {

constexpr const char* examples = R"(
FILE is a Metal source, or - for standard input.
Without a FILE, msci-eval evaluates each task's seed kernel. With several tasks, it judges a file on
those that dispatch one of its kernels.

Examples:
  msci-eval kernel.metal --task saxpy              run, judge and score on the first device
  msci-eval kernel.metal --plan plan.json          a task of your own; docs/reference/plan_file.md
  msci-eval kernel.metal --task lbm --strict       the strict verdict decides, too
  msci-eval kernel.metal --task lbm --check        detect races, wild accesses and similar faults
  msci-eval kernel.metal --plan plan.json --check --inputs 200
                                                   look for inputs that show a fault
  msci-eval kernel.metal --task lbm --prove        prove that there are none, in any order
  msci-eval kernel.metal --task lbm --numerics     do results depend on the freedom of fast math?
  msci-eval kernel.metal --plan plan.json --reduce check.race
                                                   the smallest kernel that still has the race
  msci-eval new.metal --task nbody --vs old.metal  the speed-up, measured in alternating turns
  msci-eval kernel.metal --task heat2d --held-out  the held-out size too
  msci-eval a.metal b.metal --task nbody --json    one JSON object per line, in file order
  msci-eval kernel.metal --task lbm --verify-only  judge without timing
  msci-eval kernel.metal --plan plan.json -I include -- -DN=8
                                                   with included files, which are read from -I only;
                                                   flags of Apple's compiler follow --
  msci-eval kernel.metal --emit opencl > k.cl      the translation to OpenCL C
  msci-eval kernel.metal --emit assembly           the code of this processor, with source lines
  msci-eval kernel.metal --emit apple              the machine code of an M1, by Mesa's compiler
  msci-eval --program k.cl --task lbm              runs a translation
  msci-eval --task all                             every task's seed kernel
  msci-eval a.metal b.metal --task all             each on the task that dispatches its kernel
  msci-eval best.metal --task nbody --gate         against the seed at the held-out size
  msci-eval *.metal --task lbm --device 0,1 --json a batch on two devices, in the order of the files
  msci-eval --page kernel.metal                    a page to edit and judge it in the browser
  msci-eval --list-devices                         with --json, one object per line
  msci-eval --list-faults                          what --check finds
  msci-eval --server --device cpu                  for thousands of kernels: reads requests as JSON
                                                   lines from standard input (docs/guide/judging.md)

Exit status: 0 all sizes are right, 1 a kernel is refused or wrong, 2 something could not be
checked. With --gate: 0 the kernel generalises, 1 it is refused, wrong or slower, 2 it could not be
checked.
)";

}  // namespace

OptionTable table_of(EvaluatorOptions& options) {
  auto first = rows_of(options.candidates);
  for (auto rows : {rows_of(options.devices), rows_of(options.output)})
    first.insert(first.end(), rows.begin(), rows.end());
  return {{"", std::move(first)},
          group_of(options.compile_arguments),
          {"Verdict", rows_of(options.verdict)},
          {"Timing", rows_of(options.timing)},
          {"Instead of judging", rows_of(options.mode)},
          {"Server", rows_of(options.serving)},
          {"Page", rows_of(options.page)},
          {"Kept results", rows_of(options.cache)},
          {"Slurm", rows_of(options.cluster)}};
}

void declare(CLI::App& app, EvaluatorOptions& options) {
  app.footer(examples);
  declare(app, table_of(options));
}

OrderedJson key_of(const EvaluatorOptions& options) {
  auto copy = options;
  copy.verdict.decides = options.is_strict() ? "strict" : "compatible";  // also where it is empty
  auto key = key_of(table_of(copy));
  const auto& compile = options.compile;
  OrderedJson macros = OrderedJson::array();
  for (const auto& macro : compile.macros) macros.push_back({macro.text, macro.undefines});
  key["compile"] = {compile.version.number, compile.fast_math, compile.include_folders,
                    compile.system_folders, compile.includes,  std::move(macros)};
  return key;
}

std::vector<std::string> shared_arguments(const CLI::App& app, EvaluatorOptions& options) {
  auto words = shared_words(app, table_of(options));
  const auto& flags = options.compile_arguments.flags;
  if (!flags.empty()) words.emplace_back("--");
  words.insert(words.end(), flags.begin(), flags.end());
  return words;
}

}  // namespace msci
