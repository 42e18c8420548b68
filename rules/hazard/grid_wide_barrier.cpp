#include "lint/analysis/sharing.h"
#include "lint/rule.h"

namespace msci {
namespace {

const clang::CallExpr* barrier_between(const Collision& collision, const ThreadFlow& flow) {
  for (const auto& barrier : flow.barriers())
    if (flow.reaches(collision.first->when, barrier.call, {}) &&
        flow.reaches(barrier.call, collision.second->when, {}))
      return barrier.call;
  return nullptr;
}

void check_grid_wide_barrier(const ThreadFlow& flow, Reporter& report) {
  const auto accesses = accesses_in(flow, Space::device);
  auto collision = grid_collision(accesses, flow, /*crossing=*/true);
  if (!collision) collision = group_collision(accesses, flow);
  if (!collision) return;
  const auto* barrier = barrier_between(*collision, flow);
  if (!barrier) return;
  report(barrier->getSourceRange(),
         "waits for the threads of one threadgroup only, not for the rest of the grid")
      .note(collision->first->place->getSourceRange(), "written here")
      .note(collision->second->place->getSourceRange(),
            "and read here, also by threads of other threadgroups");
}

}  // namespace

extern constinit const Rule grid_wide_barrier{
    .check_cooperative_flow = check_grid_wide_barrier,
};

}  // namespace msci
