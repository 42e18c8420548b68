// msci-tasks: lists and describes the tasks.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/command_line/parse.h"
#include "base/command_line/self_description.h"
#include "base/command_line/short_help.h"
#include "base/files/install_paths.h"
#include "base/files/read_file.h"
#include "base/files/standard_output.h"
#include "base/io/report.h"
#include "base/process/run_command.h"
#include "driver/tools.h"
#include "engine/device/worker.h"
#include "evaluator/audit.h"
#include "evaluator/session/compile_kernel.h"
#include "evaluator/strict/strict_verdict.h"
#include "rules/rules.h"
#include "tasks/describe.h"

namespace msci {
namespace {

constexpr const char* examples = R"(
Examples:
  msci-tasks                           lists the tasks, one per line
  msci-tasks describe nbody            prints what you need to write a kernel for the task
  msci-tasks describe plan.json        the same for a task of your own (docs/reference/plan_file.md)
  msci-tasks describe nbody --json     the same for programs: kernels, bindings, sizes, seed
  msci-tasks seed nbody > k.metal      prints a correct kernel to start from
  msci-tasks new k.metal > plan.json   prints a plan for a kernel of your own
  msci-tasks new k.metal --reference > reference.py
                                       and the program that computes what is right
  msci-tasks audit nbody               runs the verdicts on kernels that are certainly wrong
  msci-tasks audit all --strict-only   the same for all tasks, without the recorded verdict
  msci-tasks derive nbody > tasks/nbody/strict.json
                                       computes the tolerances of the strict verdict again

TASK is a name of the list, or a plan file. The list also has the plan files in the folders of
MSCI_TASK_PATH: NAME.json, or NAME/plan.json. No command prints the held-out size of a task.
Exit status: 0 success, 1 a strict verdict accepts a wrong kernel, 2 an error.
)";

struct Options {
  std::vector<std::string> names;
  bool json = false;
  bool strict_only = false;
  std::string kernel;
  bool reference = false;
};

int report_error(const Error& error) { return msci::report_error("msci-tasks", error); }

// Prints the text of each named task, or nothing if a name is unknown.
template <typename Text>
int print_each(const std::vector<std::string>& names, Text text) {
  std::string all;
  for (const auto& name : names) {
    const auto task = find_task(name);
    if (!task) return report_error(task.error());
    all += text(**task);
  }
  fmt::print("{}", all);
  return 0;
}

// The status; 2 if the output could not be written.
int finished(int status) {
  const auto problem = flush_standard_output();
  if (!problem) return status;
  return report_error(*problem);
}

int list(bool json) {
  std::vector<const Task*> tasks(all_tasks().begin(), all_tasks().end());
  int status = 0;
  for (const auto& plan : find_plans()) {
    if (plan)
      tasks.push_back(*plan);
    else
      status = report_error(plan.error());
  }
  if (!json) fmt::print("{}", list_tasks(tasks));
  if (json)
    for (const auto* task : tasks) fmt::print("{}\n", describe_as_json(*task));
  return status;
}

// What derive() finds for the task's own seed on the first device.
Result<Derivation> derive_anew(const Task& task) {
  if (task.seed.empty()) return Error{fmt::format("{} has no seed to run", task.name)};
  Cache cache(user_cache_folder());
  if (const auto error = load_task(task, {.cache = &cache})) return *error;
  const auto seed = compile({fmt::format("{}.metal", task.name), std::string(task.seed)},
                            all_rules(), {.constants = task.constants});
  if (!seed) return seed.error();
  if (!seed->translation) return Error{seed->rejection};
  const auto device = open_worker_device("");
  if (!device) return device.error();
  auto derivation = derive(task, *seed->translation, **device);
  if (!derivation) return derivation;
  auto whole = derive_whole(task, *seed->translation, **device);
  if (!whole) return whole.error();
  derivation->whole = *std::move(whole);
  auto recorded = derive_recorded(task, *seed->translation, **device);
  if (!recorded) return recorded.error();
  derivation->recorded = *std::move(recorded);
  return derivation;
}

int print_derivation(const std::string& name) {
  const auto task = find_task(name);
  if (!task) return report_error(task.error());
  const auto derivation = derive_anew(**task);
  if (!derivation) return report_error(derivation.error());
  fmt::print("{}", to_json(*derivation));
  return 0;
}

int print_audits(const std::vector<std::string>& names, bool strict_only) {
  const auto tasks = find_tasks(names);
  if (!tasks) return report_error(tasks.error());
  const auto device = open_worker_device("");
  if (!device) return report_error(device.error());
  Cache cache(user_cache_folder());
  const AuditContext bench{.device = **device,
                           .cache = cache,
                           .translate = translate_unchecked,
                           .compatible = !strict_only};
  int status = 0;
  for (const auto* task : *tasks) {
    if (const auto error = load_task(*task, {.cache = &cache})) return report_error(*error);
    const auto audited = audit(*task, bench, fresh_nonce());
    if (!audited) return report_error(audited.error());
    fmt::print("{}\n", to_markdown(*audited));
    std::fflush(stdout);
    if (!audited->passed()) status = 1;
  }
  return status;
}
// A plan for the kernels of a file, or the program of its reference.
int print_scaffold(const std::string& file, bool is_reference) {
  const auto source = read_source(file);
  if (!source) return report_error(source.error());
  const auto compiled = FrontEnd(*source, all_rules()).compile(TranslationPurpose::running);
  if (!compiled) return report_error(compiled.error());
  if (!compiled->translation)
    return report_error({fmt::format("{}; msci-lint {} shows all errors", compiled->rejection,
                                     shell_quoted(file))});
  const auto& translation = *compiled->translation;
  const auto text =
      is_reference ? reference_scaffold(*source, translation) : plan_scaffold(*source, translation);
  if (!text) return report_error({fmt::format("{}: {}", file, text.error().message)});
  fmt::print("{}", *text);
  return 0;
}

}  // namespace

int tasks_main(int argc, char** argv) {
  Options options;
  CLI::App app("Lists and describes the tasks that kernels are written for.", "msci-tasks");
  app.footer(examples);
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", "msci-tasks " + program_version());
  app.add_flag("--json", options.json, "list the tasks as JSON, as list --json does");
  auto* list_command = app.add_subcommand("list", "list the tasks, one per line (the default)");
  list_command->add_flag("--json", options.json,
                         "one JSON object per line, as describe --json prints it");
  auto* describe_command =
      app.add_subcommand("describe", "print equations, kernels, bindings, sizes and verdict");
  describe_command->add_option("TASK", options.names, "its name, or a plan file")->required();
  describe_command->add_flag("--json", options.json,
                             "one JSON object per line instead of Markdown");
  auto* seed_command = app.add_subcommand("seed", "print the source of the seed kernel");
  seed_command->add_option("TASK", options.names, "its name, or a plan file")->required();
  auto* derive_command =
      app.add_subcommand("derive", "run the seed and print the tolerances, for strict.json");
  derive_command->add_option("TASK", options.names, "its name, or a plan file")
      ->required()
      ->expected(1);
  auto* audit_command =
      app.add_subcommand("audit", "run its verdicts on kernels that are certainly wrong");
  audit_command->add_option("TASK", options.names, "its name, a plan file, or all")->required();
  audit_command->add_flag("--strict-only", options.strict_only, "omit the recorded verdict");
  auto* new_command = app.add_subcommand(
      "new",
      "print a plan file for a kernel of your own, to fill in (docs/reference/plan_file.md)");
  new_command->add_option("FILE", options.kernel, "a Metal source")->required();
  new_command->add_flag("--reference", options.reference,
                        "print the plan's reference.py instead, in which you write what is right");
  describe_itself(app);
  shorten_help(app, {.page = "docs/guide/first_kernel.md"});
  const auto parsed = parse_command_line(app, argc, argv);
  if (!parsed) return report_error(parsed.error());
  if (*parsed == Parsed::answered) return 0;
  if (*seed_command)
    return finished(
        print_each(options.names, [](const Task& task) { return std::string(task.seed); }));
  if (*audit_command) return finished(print_audits(options.names, options.strict_only));
  if (*new_command) return finished(print_scaffold(options.kernel, options.reference));
  if (*derive_command) return finished(print_derivation(options.names.front()));
  if (!*describe_command) return finished(list(options.json));
  return finished(print_each(options.names, [&](const Task& task) {
    return options.json ? describe_as_json(task) + "\n" : describe(task);
  }));
}

}  // namespace msci
