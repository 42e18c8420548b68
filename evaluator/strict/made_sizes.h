// Sizes that are made so that a kernel runs code that no judged run has executed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/coverage/launch_numbers.h"
#include "tasks/plan/program.h"
#include "tasks/plan/task.h"

namespace msci {

// What the draws of a task's random sizes have in common. It leaves out parameters that follow from
// others, since nobody can choose them.
AllowedSizes allowed_sizes(const Task& task);

// The values of a size, in the order of the allowed ones; empty if the size lacks one.
std::vector<std::uint32_t> values_in(const AllowedSizes& allowed, const Size& size);

// The size with those values, labelled "made 1 (nx 4712, ny 3, n_steps 2)"; the task completes the
// others. None if it cannot, or has no plan for the size.
std::optional<Size> made_size(const Task& task, const Translation& translation,
                              const AllowedSizes& allowed, const std::vector<std::uint32_t>& values,
                              std::size_t number);

}  // namespace msci
