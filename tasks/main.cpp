// msci-tasks: what the tasks ask of a kernel.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/command_line/parse.h"
#include "base/command_line/self_description.h"
#include "base/files/standard_output.h"
#include "driver/tools.h"
#include "tasks/describe.h"
#ifdef MSCI_FRONTEND
#include "evaluator/device/worker.h"
#include "evaluator/frontend.h"
#include "evaluator/strict/strict_verdict.h"
#include "rules/rules.h"
#include "tasks/audit.h"
#endif

namespace msci {
namespace {

constexpr const char* examples = R"(
Examples:
  msci-tasks                       the tasks, one a line
  msci-tasks describe nbody        all that one must know to write a kernel for it
  msci-tasks describe nbody --json the same for programs: kernels, bindings, sizes, seed
  msci-tasks seed nbody > k.metal  a right kernel to start from
  msci-tasks audit nbody           do its verdicts refuse kernels that are wrong for certain?
  msci-tasks audit all --strict-only   the same of all tasks, without the recorded verdict
  msci-tasks derive nbody > tasks/nbody/strict.json   the tolerances of its strict verdict, anew

No command names a task's held-out size.
Exit status: 0; 1 where a strict verdict accepts a wrong kernel; 2 where the question cannot be answered.
)";

struct Options {
  std::vector<std::string> names;
  bool json = false;
  bool strict_only = false;
};

int complain(const Error& error) {
  fmt::print(stderr, "msci-tasks: {}\n", error.message);
  return 2;
}

// Prints what `text` makes of each named task; of none where a name is unknown.
template <typename Text>
int print_each(const std::vector<std::string>& names, Text text) {
  std::string all;
  for (const auto& name : names) {
    const auto task = find_task(name);
    if (!task) return complain(task.error());
    all += text(**task);
  }
  fmt::print("{}", all);
  return 0;
}

// The status, where all that was said could be written.
int finished(int status) {
  const auto problem = flush_standard_output();
  if (!problem) return status;
  fmt::print(stderr, "msci-tasks: {}\n", problem->message);
  return 2;
}

int list(bool json) {
  if (!json) {
    fmt::print("{}", list_tasks(all_tasks()));
    return 0;
  }
  for (const auto* task : all_tasks()) fmt::print("{}\n", describe_as_json(*task));
  return 0;
}

#ifdef MSCI_FRONTEND
// What derive() finds for the task's own seed on the first device.
Result<Derivation> derive_anew(const Task& task) {
  const auto seed =
      prepare({fmt::format("{}.metal", task.name), std::string(task.seed)}, all_rules());
  if (!seed) return seed.error();
  if (!seed->translation) return Error{seed->rejection};
  const auto device = open_worker_device("");
  if (!device) return device.error();
  return derive(task, *seed->translation, **device);
}

int print_derivation(const std::string& name) {
  const auto task = find_task(name);
  if (!task) return complain(task.error());
  const auto derivation = derive_anew(**task);
  if (!derivation) return complain(derivation.error());
  fmt::print("{}", to_json(*derivation));
  return 0;
}
// The tasks of those names; "all" is a name for all of them.
Result<std::vector<const Task*>> find_all(const std::vector<std::string>& names) {
  std::vector<const Task*> tasks;
  for (const auto& name : names) {
    if (name == "all") return std::vector<const Task*>(all_tasks().begin(), all_tasks().end());
    const auto task = find_task(name);
    if (!task) return task.error();
    tasks.push_back(*task);
  }
  return tasks;
}

int print_audits(const std::vector<std::string>& names, bool strict_only) {
  const auto tasks = find_all(names);
  if (!tasks) return complain(tasks.error());
  const auto device = open_worker_device("");
  if (!device) return complain(device.error());
  Cache cache(user_cache_folder());
  const AuditContext bench{.device = **device,
                           .cache = cache,
                           .translate = translate_unchecked,
                           .compatible = !strict_only};
  int status = 0;
  for (const auto* task : *tasks) {
    const auto audited = audit(*task, bench, fresh_nonce());
    if (!audited) return complain(audited.error());
    fmt::print("{}\n", to_markdown(*audited));
    std::fflush(stdout);
    if (!audited->passed()) status = 1;
  }
  return status;
}
#else
int cannot_translate() {
  return complain({"this build cannot read Metal; build with MSCI_FRONTEND=ON"});
}
int print_derivation(const std::string&) { return cannot_translate(); }
int print_audits(const std::vector<std::string>&, bool) { return cannot_translate(); }
#endif

}  // namespace

int tasks_main(int argc, char** argv) {
  Options options;
  CLI::App app("Lists and describes the tasks that kernels are written for.", "msci-tasks");
  app.footer(examples);
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", "msci-tasks " MSCI_VERSION);
  auto* list_command = app.add_subcommand("list", "the tasks, one a line (the default)");
  list_command->add_flag("--json", options.json,
                         "one JSON object a line, as describe --json prints it");
  auto* describe_command =
      app.add_subcommand("describe", "equations, kernels, bindings, sizes, verdict");
  describe_command->add_option("TASK", options.names, "its name")->required();
  describe_command->add_flag("--json", options.json, "one JSON object a line instead of Markdown");
  auto* seed_command = app.add_subcommand("seed", "the seed kernel's source");
  seed_command->add_option("TASK", options.names, "its name")->required();
  auto* derive_command =
      app.add_subcommand("derive", "runs the seed for the tolerances of strict.json");
  derive_command->add_option("TASK", options.names, "its name")->required()->expected(1);
  auto* audit_command =
      app.add_subcommand("audit", "its verdicts on kernels that are wrong for certain");
  audit_command->add_option("TASK", options.names, "its name, or all")->required();
  audit_command->add_flag("--strict-only", options.strict_only, "leave the recorded verdict out");
  describe_itself(app);
  const auto parsed = parse_command_line(app, argc, argv);
  if (!parsed) return complain(parsed.error());
  if (*parsed == Parsed::answered) return 0;
  if (*seed_command)
    return finished(
        print_each(options.names, [](const Task& task) { return std::string(task.seed); }));
  if (*audit_command) return finished(print_audits(options.names, options.strict_only));
  if (*derive_command) return finished(print_derivation(options.names.front()));
  if (!*describe_command) return finished(list(options.json));
  return finished(print_each(options.names, [&](const Task& task) {
    return options.json ? describe_as_json(task) + "\n" : describe(task);
  }));
}

}  // namespace msci
