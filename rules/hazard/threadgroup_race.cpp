#include "lint/analysis/sharing.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Barriers of every kind: one with the wrong flags or the wrong scope is another rule's matter.
std::set<const clang::Stmt*> all_fences(const ThreadFlow& flow) {
  std::set<const clang::Stmt*> fences;
  for (const auto& barrier : flow.barriers()) fences.insert(barrier.call);
  for (const auto* call : flow.barrier_calls()) fences.insert(call);
  return fences;
}

void check(const ThreadFlow& flow, Reporter& report) {
  const auto accesses = accesses_in(flow, Space::threadgroup);
  for (const auto& [first, second] : collisions(accesses, flow, all_fences(flow))) {
    if (first->writes)
      report(second->place->getSourceRange(),
             "reads what another thread writes, with no barrier between")
          .note(first->place->getSourceRange(), "written here");
    else
      report(second->place->getSourceRange(),
             "overwrites what another thread may still have to read, with no barrier between")
          .note(first->place->getSourceRange(), "read here");
  }
}

}  // namespace

extern constinit const Rule threadgroup_race{
    .check_cooperative_flow = check,
};

}  // namespace msci
