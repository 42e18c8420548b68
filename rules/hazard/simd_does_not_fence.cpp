#include "lint/analysis/sharing.h"
#include "lint/rule.h"

namespace msci {
namespace {

constexpr std::int64_t lanes = 32;

// Whether the access is to an element that belongs to one simdgroup: what it exchanges stays there.
bool stays_in_simdgroup(const Access& access) {
  for (const auto& index : access.indices)
    for (const auto& atom : index.atoms())
      if (atom.position == Position::lane) return true;
  return false;
}

bool is_one_simdgroup(const ThreadFlow& flow) {
  const auto limit = flow.unit().attribute(flow.function(), "max_total_threads_per_threadgroup");
  return limit && limit->value && *limit->value <= lanes;
}

void check(const ThreadFlow& flow, Reporter& report) {
  std::set<const clang::Stmt*> fences, all;
  for (const auto& barrier : flow.barriers()) {
    all.insert(barrier.call);
    if (barrier.whole_threadgroup) fences.insert(barrier.call);
  }
  for (const auto* call : flow.barrier_calls()) fences.insert(call);
  if (all.size() == fences.size() || is_one_simdgroup(flow)) return;
  const auto accesses = accesses_in(flow, Space::threadgroup);
  for (const auto& [first, second] : collisions(accesses, flow, fences)) {
    if (stays_in_simdgroup(*first) || stays_in_simdgroup(*second)) continue;
    if (flow.reaches(first->when, second->when, all)) continue;
    for (const auto& barrier : flow.barriers()) {
      if (barrier.whole_threadgroup || !flow.reaches(first->when, barrier.call, fences) ||
          !flow.reaches(barrier.call, second->when, fences))
        continue;
      report(barrier.call->getSourceRange(),
             "orders the threads of one simdgroup only, and other simdgroups share this memory")
          .note(first->place->getSourceRange(), first->writes ? "written here" : "read here")
          .note(second->place->getSourceRange(), second->writes
                                                     ? "and overwritten by another thread here"
                                                     : "and read by another thread here");
      break;
    }
  }
}

}  // namespace

extern constinit const Rule simd_does_not_fence{
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& flow : cooperative_flows(unit)) check(flow, report);
        },
};

}  // namespace msci
