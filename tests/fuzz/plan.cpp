// A user's own task. Its reference, a command that would be run, is taken out first.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/json.h"
#include "tasks/plan/plan_file.h"
#include "tests/fuzz/target.h"

namespace {

// In a folder of its own, which no other file of the plan is in.
const std::string& plan_path() {
  static const std::string path = [] {
    const auto folder =
        std::filesystem::temp_directory_path() / ("msci-fuzz-plan-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    return (folder / "plan.json").string();
  }();
  return path;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(msci::text_of(data, size));
  auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_object() && json.erase("reference") + json.erase("check") > 0)
    text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::ofstream(plan_path(), std::ios::binary) << text;
  const auto plan = msci::read_plan_file(plan_path());
  if (!plan) {
    msci::promise(plan.error().message.find("plan.json") != std::string::npos);
  } else if (const auto error = (*plan)->task().load({})) {
    msci::promise(error->message.find("plan.json") != std::string::npos);
  }
  return 0;
}
