#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

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

// Levenshtein's distance: how many letters to insert, drop or change.
std::size_t edits_between(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t changed = diagonal + (from[i] != to[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
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
  std::vector<std::string_view> known;
  for (const Task* task : all_tasks()) {
    if (task->name == name) return task;
    known.push_back(task->name);
  }
  std::stable_sort(known.begin(), known.end(), [&](std::string_view a, std::string_view b) {
    return edits_between(name, a) < edits_between(name, b);
  });
  return Error{fmt::format("no task is called \"{}\"; there are {}", name, fmt::join(known, ", "))};
}

}  // namespace msci
