#include "lint/analysis/sharing.h"
#include "lint/rule.h"

namespace msci {
namespace {

constexpr std::int64_t lanes = 32;

bool goes_by(const SharedAccess& access, Position position) {
  for (const auto& index : access.indices)
    for (const auto& atom : index.atoms())
      if (atom.position == position) return true;
  return false;
}

// Whether both are accesses to elements that belong to one simdgroup: what it exchanges stays
// there. a[simdgroup] and a[lane] are what simdgroups exchange with each other.
bool stay_in_simdgroup(const SharedAccess& first, const SharedAccess& second) {
  const auto both = [&](Position position) {
    return goes_by(first, position) && goes_by(second, position);
  };
  const auto is_one_element = [](const SharedAccess& access) {
    return std::all_of(access.indices.begin(), access.indices.end(),
                       [](const IndexForm& index) { return index.varying().terms.empty(); });
  };
  // One element and one for each lane: it may well be that only one simdgroup gets there.
  const bool one = (goes_by(first, Position::lane) && is_one_element(second)) ||
                   (goes_by(second, Position::lane) && is_one_element(first));
  return one || both(Position::lane) || both(Position::simdgroup);
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
  if (all.size() == fences.size() || is_one_simdgroup(flow)) return;
  for (const auto* call : flow.barrier_calls()) fences.insert(call);
  const auto accesses = accesses_in(flow, Space::threadgroup);
  for (const auto& [first, second] : collisions(accesses, flow, fences)) {
    if (stay_in_simdgroup(*first, *second)) continue;
    if (flow.reaches(first->when, second->when, all)) continue;
    for (const auto& barrier : flow.barriers()) {
      if (barrier.whole_threadgroup || !flow.reaches(first->when, barrier.call, fences) ||
          !flow.reaches(barrier.call, second->when, fences))
        continue;
      report(barrier.call->getSourceRange(),
             "orders only the threads of one simdgroup, but other simdgroups share this memory")
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
