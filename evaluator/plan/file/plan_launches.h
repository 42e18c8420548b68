// The launches of a plan file.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "evaluator/plan/file/plan_fields.h"
#include "evaluator/plan/plan.h"
#include "evaluator/plan/task.h"

namespace msci {

// The buffers that names refer to at one point of a pass.
using BufferNames = std::map<std::string, std::size_t>;  // to indices in Plan::buffers
using BufferTypes = std::map<std::string, std::string>;  // of the elements, by the buffer's name

// The index of the buffer that the field names.
std::size_t read_buffer(PlanFieldReader& reader, const Field& field, const BufferNames& names);

// One element of "launches". `plan` has its buffers.
Launch read_launch(PlanFieldReader& reader, const Field& field, const Plan& plan,
                   const BufferNames& names, const BufferTypes& types, const Size& size);

// Swaps the names in each pair of the field "swap".
void swap_names(PlanFieldReader& reader, const Field& swap, const Plan& plan, BufferNames& names);

}  // namespace msci
