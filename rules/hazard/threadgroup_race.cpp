#include <clang/AST/Decl.h>

#include "lint/analysis/sharing.h"
#include "lint/proofs/likely_faults.h"
#include "lint/proofs/plan_proofs.h"
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

constexpr const char* reads_early = "reads what another thread writes, with no barrier between";
constexpr const char* overwrites_early =
    "overwrites what another thread may still have to read, with no barrier between";

// What a proof refutes, of arrays that no pattern has told of. Stores of many threads to one
// element are those of hazard.lost_update.
void check_proofs(const ThreadFlow& flow, const std::set<std::string>& told,
                  const std::set<std::string>& stored, Reporter& report) {
  for (const auto& fault : likely_faults(flow.function(), flow.unit(), report.contract())) {
    if (fault.subject != ProofSubject::races || !fault.in_threadgroup ||
        told.contains(fault.object))
      continue;
    const bool is_one_statement = fault.first.range.begin.line == fault.second.range.begin.line;
    if (stored.contains(fault.object) && (fault.both_write || is_one_statement)) continue;
    if (fault.behind_barrier)
      report(fault.second, "meets what another thread writes; the barrier between orders no memory")
          .note(fault.first, "written here: " + fault.threads);
    else if (fault.both_write)
      report(fault.second, "writes what another thread writes, with no barrier between")
          .note(fault.first, "written here: " + fault.threads);
    else if (fault.second < fault.first)
      report(fault.first, overwrites_early).note(fault.second, "read here: " + fault.threads);
    else
      report(fault.second, reads_early).note(fault.first, "written here: " + fault.threads);
  }
}

void check_threadgroup_race(const ThreadFlow& flow, Reporter& report) {
  std::set<std::string> told;
  const auto accesses = accesses_in(flow, Space::threadgroup);
  for (const auto& [first, second] : collisions(accesses, flow, all_fences(flow))) {
    const auto array = first->memory->getNameAsString();
    if (is_excluded_by_task(flow.function(), ProofSubject::races, array, flow.unit(),
                            report.contract()))
      continue;
    told.insert(array);
    if (first->writes)
      report(second->place->getSourceRange(), reads_early)
          .note(first->place->getSourceRange(), "written here");
    else
      report(second->place->getSourceRange(), overwrites_early)
          .note(first->place->getSourceRange(), "read here");
  }
  std::set<std::string> stored;
  for (const auto& store : stores_of_many(accesses, flow))
    if (store.access->memory) stored.insert(store.access->memory->getNameAsString());
  check_proofs(flow, told, stored, report);
}

}  // namespace

extern constinit const Rule threadgroup_race{
    .check_cooperative_flow = check_threadgroup_race,
    .asks_proofs = true,
};

}  // namespace msci
