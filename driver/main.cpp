// msci: acts as msci-lint, msci-eval or msci-tasks, whichever name starts it. Each of them needs
// Clang, which is larger than the rest of msci, so they share one program.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "driver/tools.h"
#ifdef MSCI_FRONTEND
#include "evaluator/device/worker_main.h"
#include "evaluator/engine/cpu_device.h"
#endif

namespace msci {
namespace {

#ifdef MSCI_FRONTEND
// Runs kernels on this machine's processor. It needs LLVM, as the other tools do.
int engine_worker_main(int argc, char** argv) {
  constexpr std::array kinds{DeviceKind{find_cpu_devices, open_cpu_device}};
  return worker_main(argc, argv, kinds);
}
#endif

struct Tool {
  std::string_view name;  // after "msci-"
  int (*main)(int argc, char** argv);
  bool is_started_by_users = true;
};

constexpr std::array tools = {
#ifdef MSCI_FRONTEND
    Tool{"lint", lint_main},
    Tool{"engine-worker", engine_worker_main, false},
#endif
    Tool{"eval", eval_main},
    Tool{"tasks", tasks_main},
};

constexpr std::string_view prefix = "msci-";
constexpr int could_not_check = 2;

const Tool* find_tool(std::string_view name) {
  for (const auto& tool : tools)
    if (tool.name == name) return &tool;
  return nullptr;
}

// The tool that a path such as "/usr/bin/msci-lint" names.
const Tool* tool_of_path(std::string_view path) {
  const auto name = path.substr(path.rfind('/') + 1);  // all of it without a '/'
  return name.starts_with(prefix) ? find_tool(name.substr(prefix.size())) : nullptr;
}

int report_usage() {
  std::string names;
  for (const auto& tool : tools)
    if (tool.is_started_by_users)
      names += (names.empty() ? "" : ", ") + std::string(prefix) + std::string(tool.name);
  std::fprintf(stderr, "msci: start it as one of %s; \"msci lint\" is \"msci-lint\"\n",
               names.c_str());
  return could_not_check;
}

int run(int argc, char** argv) {
  if (argc > 0)
    if (const auto* tool = tool_of_path(argv[0])) return tool->main(argc, argv);
  if (argc > 1)
    if (const auto* tool = find_tool(argv[1])) return tool->main(argc - 1, argv + 1);
  return report_usage();
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  const int status = msci::run(argc, argv);
  std::fflush(nullptr);
  std::_Exit(status);  // destroying Clang's thousands of options would take a millisecond
}
