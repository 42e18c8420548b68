#include "tasks/stress.h"

#include <algorithm>
#include <cassert>

namespace msci {

Array<float> uniform(KeyedRandom& draws, std::size_t count, double low, double high) {
  Array<float> values(count);
  for (float& value : values) value = static_cast<float>(draws.uniform(low, high));
  return values;
}

std::size_t place_of(const Plan& plan, std::string_view name) {
  const auto found = std::find_if(plan.buffers.begin(), plan.buffers.end(),
                                  [&](const PlanBuffer& each) { return each.name == name; });
  assert(found != plan.buffers.end() && "the task's own plan has all its buffers");
  return static_cast<std::size_t>(found - plan.buffers.begin());
}

}  // namespace msci
