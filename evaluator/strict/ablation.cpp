#include "evaluator/strict/ablation.h"

#include <fmt/format.h>

#include <algorithm>

namespace msci {
namespace {

Plan without_kernel(Plan plan, const std::string& kernel) {
  std::erase_if(plan.launches, [&](const Launch& launch) { return launch.kernel == kernel; });
  return plan;
}

std::vector<std::string> kernels_of(const Plan& plan) {
  std::vector<std::string> kernels;
  for (const auto& launch : plan.launches)
    if (std::find(kernels.begin(), kernels.end(), launch.kernel) == kernels.end())
      kernels.push_back(launch.kernel);
  return kernels;
}

// A plan with a part removed or replaced.
struct Change {
  std::string what;
  Plan plan;
};

// In the order in which they end a program more and more often, since the search stops at the first
// that does: other contents, one launch less, all launches of a kernel less. Without its only
// kernel a plan is empty, so then only single launches are removed.
std::vector<Change> changes_of(const Plan& plan, const Plan& other) {
  std::vector<Change> changes;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    if (plan.buffers[i].initial == other.buffers[i].initial) continue;
    changes.push_back({"contents of " + plan.buffers[i].name, plan});
    changes.back().plan.buffers[i].initial = other.buffers[i].initial;
  }
  if (plan.launches.size() > 1)
    for (std::size_t i = 0; i < plan.launches.size(); ++i) {
      changes.push_back({fmt::format("launch {} of {} ({})", i + 1, plan.launches.size(),
                                     plan.launches[i].kernel),
                         plan});
      changes.back().plan.launches.erase(changes.back().plan.launches.begin() +
                                         static_cast<std::ptrdiff_t>(i));
    }
  const auto kernels = kernels_of(plan);
  if (kernels.size() > 1)
    for (const auto& kernel : kernels)
      changes.push_back({"kernel " + kernel, without_kernel(plan, kernel)});
  return changes;
}

}  // namespace

Result<std::vector<std::string>> find_irrelevant_parts(
    Program& program, const Plan& plan, const Plan& other,
    const std::function<bool(const Outputs&)>& is_right) {
  std::vector<std::string> irrelevant;
  for (const auto& [what, changed] : changes_of(plan, other)) {
    const auto ran = program.run(changed, verify_only);
    if (!ran) return ran.error();
    const auto* run = std::get_if<Run>(&*ran);
    if (!run) break;  // the next run would build the program again
    if (is_right(run->outputs)) irrelevant.push_back(what);
  }
  return irrelevant;
}

}  // namespace msci
