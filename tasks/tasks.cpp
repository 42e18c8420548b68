#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "base/files/read_file.h"
#include "base/text.h"
#include "evaluator/plan/file/reference_command.h"
#include "evaluator/plan/plan_file.h"
#include "evaluator/plan/task.h"

namespace msci {

#define MSCI_TASK(name) extern const Task name;
#include "tasks/list.def"
#undef MSCI_TASK

namespace {

namespace fs = std::filesystem;

// Tasks hold vectors, so they are only made when the program starts: nothing may ask for them
// earlier.
const std::array unsorted = {
#define MSCI_TASK(name) &name,
#include "tasks/list.def"
#undef MSCI_TASK
};

// The plan files in the folders of $MSCI_TASK_PATH, by the name of the task: NAME.json or
// NAME/plan.json. Of two with the same name, the first counts.
std::map<std::string, std::string> plans_on_path() {
  std::map<std::string, std::string> files;
  const char* path = std::getenv("MSCI_TASK_PATH");
  for (std::string_view rest = path ? path : ""; !rest.empty();) {
    const auto folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    std::error_code problem;
    std::error_code unreadable;  // an entry, not the folder
    for (fs::directory_iterator each(folder.empty() ? "." : folder, problem), end;
         !problem && each != end; each.increment(problem)) {
      if (each->path().extension() == ".json" && each->is_regular_file(unreadable))
        files.emplace(each->path().stem().string(), each->path().string());
      else if (const auto inner = each->path() / "plan.json";
               fs::is_regular_file(inner, unreadable))
        files.emplace(each->path().filename().string(), inner.string());
    }
  }
  return files;
}

// The plan file of a name that is a path, or that $MSCI_TASK_PATH has.
std::optional<std::string> find_plan_file(std::string_view name) {
  if (name.ends_with(".json") || name.find('/') != name.npos) return std::string(name);
  const auto files = plans_on_path();
  const auto found = files.find(std::string(name));
  return found == files.end() ? std::nullopt : std::optional(found->second);
}

// The task of a plan file. It is not read again unless it or a file beside it, such as its seed,
// has changed; what a server has handed out stays valid then.
Result<const Task*> open_plan(const std::string& file) {
  struct Opened {
    std::string version;
    std::unique_ptr<PlanFile> plan;
  };
  static std::mutex mutex;
  static std::multimap<std::string, Opened> plans;
  const std::lock_guard lock(mutex);
  const auto source = read_source(file);
  if (!source) return source.error();
  const auto files = describe_files(fs::path(file).parent_path());
  const auto version = files ? source->text + "\n" + *files : std::string();
  const auto [first, last] = plans.equal_range(file);
  for (auto each = first; files && each != last; ++each)
    if (each->second.version == version) return &each->second.plan->task();
  auto plan = read_plan_file(file);
  if (!plan) return plan.error();
  return &plans.emplace(file, Opened{version, *std::move(plan)})->second.plan->task();
}

}  // namespace

unsigned Size::operator[](std::string_view parameter) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const auto& each) { return each.first == parameter; });
  assert(found != parameters.end() && "the task's own sizes have all its parameters");
  return found->second;
}

std::span<const Task* const> all_tasks() {
  static const auto sorted = [] {
    auto tasks = unsorted;
    std::sort(tasks.begin(), tasks.end(),
              [](const Task* a, const Task* b) { return a->order < b->order; });
    return tasks;
  }();
  return sorted;
}

Result<const Task*> find_task(std::string_view name) {
  for (const Task* task : all_tasks())
    if (task->name == name) return task;
  if (const auto file = find_plan_file(name)) return open_plan(*file);
  std::vector<std::string> known;
  for (const Task* task : all_tasks()) known.emplace_back(task->name);
  for (const auto& [plan, file] : plans_on_path()) known.push_back(plan);
  std::stable_sort(known.begin(), known.end(), [&](std::string_view a, std::string_view b) {
    return edit_distance(name, a) < edit_distance(name, b);
  });
  return Error{fmt::format("no task is called \"{}\"; there are {}", name, fmt::join(known, ", "))};
}

std::vector<Result<const Task*>> find_plans() {
  std::vector<Result<const Task*>> tasks;
  for (const auto& [name, file] : plans_on_path()) tasks.push_back(open_plan(file));
  return tasks;
}

Result<std::monostate> load_task(const Task& task, const Loading& loading) {
  if (!task.load) return std::monostate();
  return task.load(loading);
}

Result<std::vector<KernelContract>> find_task_contract(std::string_view name) {
  const auto task = find_task(name);
  if (!task) return task.error();
  return (*task)->kernels;
}

Result<std::vector<const Task*>> find_tasks(std::span<const std::string> names) {
  std::vector<const Task*> tasks;
  for (const auto& name : names) {
    if (name == "all") return std::vector(all_tasks().begin(), all_tasks().end());
    const auto task = find_task(name);
    if (!task) return task.error();
    if (std::find(tasks.begin(), tasks.end(), *task) == tasks.end()) tasks.push_back(*task);
  }
  return tasks;
}

}  // namespace msci
