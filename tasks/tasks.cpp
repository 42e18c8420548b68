#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "base/text.h"
#include "evaluator/plan/task.h"

namespace msci {

#define MSCI_TASK(name) extern const Task name;
#include "tasks/list.def"
#undef MSCI_TASK

namespace {

// Tasks hold vectors, so they are only made when the program starts: nothing may ask for them
// earlier.
const std::array unsorted = {
#define MSCI_TASK(name) &name,
#include "tasks/list.def"
#undef MSCI_TASK
};

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
  std::vector<std::string_view> known;
  for (const Task* task : all_tasks()) {
    if (task->name == name) return task;
    known.push_back(task->name);
  }
  std::stable_sort(known.begin(), known.end(), [&](std::string_view a, std::string_view b) {
    return edit_distance(name, a) < edit_distance(name, b);
  });
  return Error{fmt::format("no task is called \"{}\"; there are {}", name, fmt::join(known, ", "))};
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
