// Numbers and texts of a plan file that depend on the size.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "evaluator/plan/file/plan_fields.h"
#include "evaluator/plan/task.h"

namespace msci {

// A non-negative integer, or a sum of products of integers and the size's parameters: "nx*ny + 1".
std::uint64_t read_number(PlanFieldReader& reader, const Field& field, const Size& size);
// The same up to 2^32 - 1.
unsigned read_unsigned(PlanFieldReader& reader, const Field& field, const Size& size);
// Two numbers; `what` is "[first, step]".
std::pair<double, double> read_pair(PlanFieldReader& reader, const Field& field,
                                    std::string_view what);

// Replaces "{label}" and "{parameter}" by the size's, and "{folder}" unless `folder` is empty.
std::string substitute(std::string text, const Size& size, const std::string& folder = {});

}  // namespace msci
