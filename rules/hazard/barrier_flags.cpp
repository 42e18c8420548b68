#include "lint/analysis/sharing.h"
#include "lint/rule.h"

namespace msci {
namespace {

bool orders(const Barrier& barrier, Space space) {
  return space == Space::threadgroup ? barrier.orders_threadgroup : barrier.orders_device;
}

// The barrier without the flag that stands where one with it is needed; null where some other
// thing lies between the two accesses.
const clang::CallExpr* weak_barrier_between(const Collision& collision, const ThreadFlow& flow,
                                            Space space,
                                            const std::set<const clang::Stmt*>& fences) {
  for (const auto& barrier : flow.barriers())
    if (barrier.whole_threadgroup && !orders(barrier, space) &&
        flow.reaches(collision.first->when, barrier.call, fences) &&
        flow.reaches(barrier.call, collision.second->when, fences))
      return barrier.call;
  return nullptr;
}

void check_barrier_flags(const ThreadFlow& flow, Space space, Reporter& report) {
  std::set<const clang::Stmt*> fences, all;
  for (const auto& barrier : flow.barriers()) {
    all.insert(barrier.call);
    if (!barrier.whole_threadgroup || orders(barrier, space)) fences.insert(barrier.call);
  }
  for (const auto* call : flow.barrier_calls()) fences.insert(call);
  if (fences.size() == all.size() + flow.barrier_calls().size()) return;
  const auto accesses = accesses_in(flow, space);
  for (const auto& collision : collisions(accesses, flow, fences)) {
    const auto& [first, second] = collision;
    // Where even an unordered way past every barrier exists, it is a race.
    if (flow.reaches(first->when, second->when, all)) continue;
    const auto* barrier = weak_barrier_between(collision, flow, space, fences);
    if (!barrier) continue;
    report(barrier->getSourceRange(),
           space == Space::threadgroup
               ? "does not order threadgroup memory: mem_threadgroup is missing"
               : "does not order device memory: mem_device is missing")
        .note(first->place->getSourceRange(), first->writes ? "written here" : "read here")
        .note(second->place->getSourceRange(), second->writes
                                                   ? "and overwritten by another thread here"
                                                   : "and read by another thread here");
  }
}

}  // namespace

extern constinit const Rule barrier_flags{
    .check_cooperative_flow =
        [](const ThreadFlow& flow, Reporter& report) {
          check_barrier_flags(flow, Space::threadgroup, report);
          check_barrier_flags(flow, Space::device, report);
        },
};

}  // namespace msci
