// What a plan file binds and launches, in words: for those who write a kernel.
#pragma once

#include <string>
#include <vector>

#include "tasks/plan/file/plan_instance.h"
#include "tasks/plan/task.h"

namespace msci {

// The buffers, textures and samplers of a plan that has been read, in the order of the file, as
// Markdown. Sizes are the formulas of the file.
std::vector<TaskData> describe_data(const PlanDocument& document);

// A line of Markdown for each kernel, grid and threadgroup, in the order of the file.
std::vector<std::string> describe_launches(const PlanDocument& document);

}  // namespace msci
