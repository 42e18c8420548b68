// The description of a task for authors of kernels: everything except its held-out size.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "base/source.h"
#include "tasks/plan/program.h"
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

// A first plan for a kernel, from its signature: what a user fills in instead of writing it.

// A plan file (docs/reference/plan_file.md) that launches the kernels of the source in their order,
// once each. Buffers have the types of the parameters; what a kernel may not write holds random
// numbers, and what it may write is a result. A scalar that is passed by reference is an extent of
// the grid. The expected results come from reference.py, the text of reference_scaffold(). Errors:
// no kernel, or a parameter that no rule fits.
Result<std::string> plan_scaffold(const Source& source, const Translation& translation);

// A Python program for that plan, in which the user writes the computation.
Result<std::string> reference_scaffold(const Source& source, const Translation& translation);

}  // namespace msci
