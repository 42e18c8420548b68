#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "base/files/read_file.h"
#include "base/io/report.h"
#include "base/text.h"
#include "tasks/plan/file/plan_results.h"
#include "tasks/plan/plan_file.h"
#include "tasks/plan/task.h"

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

// Says once which folder of $MSCI_TASK_PATH cannot be read: the names in it would be unknown.
void warn_of_folder(std::string_view folder, const std::error_code& problem) {
  static std::once_flag warned;
  std::call_once(warned, [&] {
    report_warning("msci", fmt::format("MSCI_TASK_PATH names {}, which cannot be read: {}", folder,
                                       problem.message()));
  });
}

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
    fs::directory_iterator each(folder.empty() ? "." : folder, problem);
    if (problem) warn_of_folder(folder, problem);
    for (const fs::directory_iterator end; !problem && each != end; each.increment(problem)) {
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

std::optional<std::string> version_of_plan(const std::string& file) {
  const auto text = read_source(file);
  const auto files = describe_files(fs::path(file).parent_path());
  if (!text || !files) return std::nullopt;
  return file + "\n" + text->text + "\n" + *files;
}

struct OpenedPlan {
  std::optional<std::string> version;  // when it was read; none: unknown
  std::unique_ptr<PlanFile> plan;
};

// What a program has handed out stays valid.
class OpenedPlans {
 public:
  // The task of a plan file. It is not read again unless it or a file beside it, such as its seed,
  // has changed.
  Result<const Task*> open(const std::string& file) {
    const std::lock_guard lock(mutex_);
    auto version = version_of_plan(file);
    const auto [first, last] = plans_.equal_range(file);
    for (auto each = first; version && each != last; ++each)
      if (each->second.version == version) return &each->second.plan->task();
    auto plan = read_plan_file(file);
    if (!plan) return plan.error();
    const auto opened = plans_.emplace(file, OpenedPlan{std::move(version), *std::move(plan)});
    return &opened->second.plan->task();
  }

  std::optional<std::string> version_of(const Task& task) {
    const std::lock_guard lock(mutex_);
    for (const auto& [file, opened] : plans_)
      if (&opened.plan->task() == &task) return opened.version;
    return std::nullopt;
  }

 private:
  std::mutex mutex_;
  std::multimap<std::string, OpenedPlan> plans_;
};

OpenedPlans& opened_plans() {
  static OpenedPlans plans;
  return plans;
}

Error unknown_task(std::string_view name) {
  std::vector<std::string> known;
  for (const Task* task : all_tasks()) known.emplace_back(task->name);
  for (const auto& [plan, file] : plans_on_path()) known.push_back(plan);
  std::ranges::sort(known);
  const std::vector<std::string_view> words(known.begin(), known.end());
  const auto near = nearest(name, words);
  return Error{fmt::format("no task is called \"{}\"{}{}{}", name, did_you_mean(near),
                           near.empty() ? "; the tasks are " : " The tasks are ",
                           fmt::join(known, ", "))};
}

}  // namespace

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
  if (const auto file = find_plan_file(name)) return opened_plans().open(*file);
  return unknown_task(name);
}

std::vector<Result<const Task*>> find_plans() {
  std::vector<Result<const Task*>> tasks;
  for (const auto& [name, file] : plans_on_path()) tasks.push_back(opened_plans().open(file));
  return tasks;
}

std::optional<std::string> task_version(const Task& task) {
  return task.plan_file.empty() ? "" : opened_plans().version_of(task);
}

Result<std::map<std::string, std::string>> plan_digests(std::span<const Task* const> tasks) {
  std::map<std::string, std::string> digests;
  for (const auto* task : tasks) {
    if (!task->digest) continue;
    auto digest = task->digest();
    if (!digest) return digest.error();
    digests[std::string(task->plan_file)] = *std::move(digest);
  }
  return digests;
}

std::optional<Error> load_task(const Task& task, const Loading& loading) {
  if (!task.load) return std::nullopt;
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
