// msci-tasks: what the tasks ask of a kernel.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "lint/standard_output.h"
#include "tasks/describe.h"

namespace msci {
namespace {

constexpr const char* examples = R"(
Examples:
  msci-tasks                       the tasks, one a line
  msci-tasks describe nbody        all that one must know to write a kernel for it
  msci-tasks describe nbody --json the same for programs: kernels, bindings, sizes, seed
  msci-tasks seed nbody > k.metal  a right kernel to start from

No command names a task's held-out size.
Exit status: 0, or 2 where the question cannot be answered.
)";

struct Options {
  std::vector<std::string> names;
  bool json = false;
};

// Prints what `text` makes of each named task; of none where a name is unknown.
template <typename Text>
int print_each(const std::vector<std::string>& names, Text text) {
  std::string all;
  for (const auto& name : names) {
    const auto task = find_task(name);
    if (!task) {
      fmt::print(stderr, "msci-tasks: {}\n", task.error().message);
      return 2;
    }
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

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("Lists and describes the tasks that kernels are written for.", "msci-tasks");
  app.footer(msci::examples);
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", "msci-tasks " MSCI_VERSION);
  auto* list = app.add_subcommand("list", "the tasks, one a line (the default)");
  list->add_flag("--json", options.json, "one JSON object a line, as describe --json prints it");
  auto* describe = app.add_subcommand("describe", "equations, kernels, bindings, sizes, verdict");
  describe->add_option("TASK", options.names, "its name")->required();
  describe->add_flag("--json", options.json, "one JSON object a line instead of Markdown");
  auto* seed = app.add_subcommand("seed", "the seed kernel's source");
  seed->add_option("TASK", options.names, "its name")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  }
  using msci::Task;
  if (*seed)
    return msci::finished(
        msci::print_each(options.names, [](const Task& task) { return std::string(task.seed); }));
  if (!*describe) return msci::finished(msci::list(options.json));
  return msci::finished(msci::print_each(options.names, [&](const Task& task) {
    return options.json ? msci::describe_as_json(task) + "\n" : msci::describe(task);
  }));
}
