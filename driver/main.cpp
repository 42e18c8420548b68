// msci: acts as msci-lint, msci-eval, msci-tasks, metal or xcrun, whichever name starts it. Each of
// them needs Clang, which is larger than the rest of msci, so they share one program. As "msci
// NAME", it also starts the other programs.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/install_paths.h"
#include "base/io/exit_status.h"
#include "base/io/report.h"
#include "base/text.h"
#include "driver/tools.h"
#include "engine/cpu_device.h"
#include "engine/device/worker_main.h"

namespace msci {
namespace {

// Runs kernels on devices that take LLVM IR. It needs LLVM, as the other tools do.
int engine_worker_main(int argc, char** argv) {
  constexpr std::array backends{DeviceBackend{cpu_device_name, find_cpu_devices, open_cpu_device}};
  return worker_main(argc, argv, backends);
}

struct Tool {
  std::string_view name;  // after "msci-"
  int (*main)(int argc, char** argv);
  std::string_view summary;  // empty of a process that users do not start
};

constexpr std::array tools = {
    Tool{"lint", lint_main, "find errors and risks in Metal kernels"},
    Tool{"engine-worker", engine_worker_main, ""},
    Tool{"rewrite", rewrite_main, ""},
    Tool{"eval", eval_main, "run kernels on a task, judge their results and score their speed"},
    Tool{"tasks", tasks_main, "list and describe the tasks"},
    Tool{"metal", metal_main, "check sources with the command line of Xcode's metal"},
    Tool{"xcrun", xcrun_main, "start this metal with the command line of Xcode's xcrun"},
};

// Programs of their own, beside this one.
struct Program {
  std::string_view name;
  std::string_view summary;
  std::string_view source = {};  // what has it, if not the programs' own package
};
constexpr std::array programs = {
    Program{"search", "improve a kernel with any program that writes kernels"},
    Program{"generate", "write a kernel for a search: by a language model, or by rewriting"},
    Program{"report", "summarise results as Markdown, JSON or HTML"},
    Program{"mcp", "give coding agents msci as tools (Model Context Protocol)",
            "; the Python package msci has it: docs/reference/python.md"},
};

constexpr std::string_view prefix = "msci-";

int report_error(const Error& error) { return msci::report_error("msci", error); }

const Tool* find_tool(std::string_view name) {
  for (const auto& tool : tools)
    if (tool.name == name) return &tool;
  return nullptr;
}

// The tool that a path such as "/usr/bin/msci-lint" names. Builds know two by the names that
// Xcode's programs have.
const Tool* tool_of_path(std::string_view path) {
  const auto name = path.substr(path.rfind('/') + 1);  // all of it without a '/'
  if (name == "metal" || name == "xcrun") return find_tool(name);
  return name.starts_with(prefix) ? find_tool(name.substr(prefix.size())) : nullptr;
}

std::string usage() {
  std::string text =
      "A linter and evaluator for Metal compute kernels.\n"
      "Usage: msci COMMAND [ARGUMENTS]\n\nCommands:\n";
  const auto add = [&](std::string_view name, std::string_view summary) {
    text += fmt::format("  {:<8} {}\n", name, summary);
  };
  for (const auto& tool : tools)
    if (!tool.summary.empty()) add(tool.name, tool.summary);
  for (const auto& program : programs) add(program.name, program.summary);
  return text + "\n\"msci lint\" is \"msci-lint\"; each command has a --help.\n";
}

int report_unknown(std::string_view word) {
  std::vector<std::string_view> names;
  for (const auto& tool : tools)
    if (!tool.summary.empty()) names.push_back(tool.name);
  for (const auto& program : programs) names.push_back(program.name);
  const auto near = nearest(word, names);
  return report_error({fmt::format("unknown command \"{}\"{}", word,
                                   near.empty() ? "; see msci --help" : did_you_mean(near))});
}

// Replaces this process; returns only if that fails.
int start(const Program& program, char** argv) {
  const auto path = find_program(std::string(prefix) + std::string(program.name));
  if (!path) return report_error({path.error().message + std::string(program.source)});
  auto name = std::string(prefix) + std::string(program.name);
  argv[0] = name.data();
  ::execv(path->c_str(), argv);
  return report_error({fmt::format("cannot start {}: {}", *path, std::strerror(errno))});
}

// Without memory, nothing can be judged, and no report can be made. Isolated processes have a
// handler of their own, since their limit of memory is ours.
void end_without_memory() {
  constexpr std::string_view text =
      ": the system gives no more memory, so nothing could be judged (ulimit -v shows a limit)\n";
  const std::string_view name = ::program_invocation_short_name;
  for (const auto part : {name, text})
    if (::write(STDERR_FILENO, part.data(), part.size()) < 0) break;
  ::_exit(could_not_check);
}

// The process that runs kernels has no such end: its parent judges how it dies.
int start(const Tool& tool, int argc, char** argv) {
  if (!tool.summary.empty()) std::set_new_handler(end_without_memory);
  return tool.main(argc, argv);
}

int run(int argc, char** argv) {
  if (argc > 0)
    if (const auto* tool = tool_of_path(argv[0])) return start(*tool, argc, argv);
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (const auto* tool = find_tool(word)) return start(*tool, argc - 1, argv + 1);
  for (const auto& program : programs)
    if (program.name == word) return start(program, argv + 1);
  if (word == "--version") {
    fmt::print("msci {}\n", msci::program_version());
    return all_right;
  }
  const bool asks = word == "--help" || word == "-h";
  if (!asks && !word.empty()) return report_unknown(word);
  fmt::print(asks ? stdout : stderr, "{}", usage());
  return asks ? all_right : could_not_check;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  const int status = msci::run(argc, argv);
  std::fflush(nullptr);
  std::_Exit(status);  // destroying Clang's thousands of options would take a millisecond
}
