// The description of a task for authors of kernels: everything except its held-out size.
#pragma once

#include <span>
#include <string>

#include "tasks/plan/task.h"

namespace msci {

// Markdown: the task's page without the held-out size, the launches and the wrong kernels.
std::string describe(const Task& task);

// One JSON object on one line: name, title, ceiling ("bandwidth", "compute"), unit,
// kernels[] {name, arguments[] {index, type, name, meaning}}, sizes[] {label, parameters{}},
// description (Markdown) and seed (Metal).
std::string describe_as_json(const Task& task);

// The names and titles, one task per line.
std::string list_tasks(std::span<const Task* const> tasks);

}  // namespace msci
