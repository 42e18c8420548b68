#include "tasks/field_steps.h"

#include <algorithm>

namespace msci {

Plan field_steps(std::vector<PlanBuffer> fields, std::vector<PlanBuffer> scalars,
                 std::span<const Sweep> sweeps, unsigned steps) {
  Plan plan;
  std::vector<std::size_t> field, scalar;
  for (auto& each : fields) field.push_back(plan.add(std::move(each)));
  for (auto& each : scalars) scalar.push_back(plan.add(std::move(each)));
  for (unsigned step = 0; step < steps; ++step)
    for (const auto& sweep : sweeps) {
      auto buffers = scalar;
      buffers.insert(buffers.begin(), field.begin(), field.end());
      plan.launches.push_back({.kernel = std::string(sweep.kernel),
                               .grid = sweep.grid,
                               .threadgroup = sweep.threadgroup,
                               .bindings = msci::bind(buffers)});
      std::rotate(field.begin(), field.begin() + 1, field.end());
    }
  // The next launch would write the last field.
  plan.results = {field[field.size() - 2]};
  return plan;
}

Plan field_steps(std::vector<PlanBuffer> fields, std::vector<PlanBuffer> scalars,
                 std::string_view kernel, Extent problem, Extent group, unsigned steps) {
  const Sweep sweep{.kernel = kernel, .grid = cover(problem, group), .threadgroup = group};
  return field_steps(std::move(fields), std::move(scalars), std::span(&sweep, 1), steps);
}

}  // namespace msci
