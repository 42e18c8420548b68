#include <clang/AST/Decl.h>

#include <set>

#include "lint/analysis/sharing.h"
#include "lint/proofs/likely_faults.h"
#include "lint/rule.h"

namespace msci {
namespace {

using Buffers = std::set<std::string>;

// The buffers that other rules report: hazard.in_place_aliasing, hazard.grid_wide_barrier and
// hazard.lost_update.
Buffers reported_elsewhere(const clang::FunctionDecl& kernel, const Unit& unit) {
  Buffers buffers;
  const auto* flow = thread_flow(kernel, unit);
  if (!flow) return buffers;
  const auto accesses = accesses_in(*flow, Space::device);
  const auto add = [&](const SharedAccess& access) {
    if (access.memory) buffers.insert(access.memory->getNameAsString());
  };
  for (const bool crossing : {false, true})
    if (const auto found = grid_collision(accesses, *flow, crossing)) add(*found->first);
  if (const auto found = group_collision(accesses, *flow)) add(*found->first);
  for (const auto& store : stores_of_many(accesses, *flow)) add(*store.access);
  return buffers;
}

void report_race(const LikelyFault& fault, Reporter& report) {
  if (fault.both_write)
    report(fault.second, "writes what another thread writes, and nothing orders the two")
        .note(fault.first, "written here: " + fault.threads);
  else if (fault.second < fault.first)
    report(fault.first, "writes what another thread reads, and nothing orders the two")
        .note(fault.second, "read here: " + fault.threads);
  else
    report(fault.second, "reads what another thread writes, and nothing orders the two")
        .note(fault.first, "written here: " + fault.threads);
}

}  // namespace

extern constinit const Rule device_race{
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          for (const auto& fault : likely_faults(kernel, unit, report.contract()))
            if (fault.subject == ProofSubject::races && !fault.in_threadgroup &&
                !reported_elsewhere(kernel, unit).contains(fault.object))
              report_race(fault, report);
        },
    .asks_proofs = true,
};

}  // namespace msci
