#include "tests/analysis/agreement_of_proofs.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "analysis/proofs/proof_json.h"
#include "analysis/proofs/prove.h"
#include "evaluator/check/checked_run.h"

namespace msci {
namespace {

bool is_about(const Fault& fault, const ProofClaim& claim) {
  if (description_of(fault.kind).proof != claim.subject) return false;
  switch (claim.subject) {
    case ProofSubject::barriers:
    case ProofSubject::divisors:
    case ProofSubject::shifts:
    case ProofSubject::conversions:
      return true;
    case ProofSubject::races:
      // A proof is about one launch, and about accesses that nothing orders: a change that is lost
      // between an atomic load and an atomic store is another fault.
      return fault.object == claim.object && fault.other_kernel.empty() &&
             fault.access.kind != AccessKind::store_back;
    case ProofSubject::bounds:
      return fault.object == claim.object ||
             (fault.object.empty() && claim.object == "indices of arrays and vectors");
  }
  return false;
}

std::string text_of(const ProofClaim& claim) {
  auto text =
      fmt::format("{} {}: {}", to_string(claim.subject), claim.object, to_string(claim.answer));
  if (const auto& example = claim.counterexample) {
    const auto of = [](const ProofThread& at) {
      return fmt::format("thread {} of threadgroup {} at line {}", at.thread.x, at.threadgroup.x,
                         at.line);
    };
    text += fmt::format(" ({}{}, byte {})", of(example->first),
                        example->second ? " and " + of(*example->second) : "", example->offset);
  }
  return text;
}

}  // namespace

Result<ProofsAndRun> compare_with_run(const Plan& plan, const Translation& checked,
                                      Program& program, const std::vector<std::string>& orders) {
  auto proofs = prove(plan, checked);
  if (!proofs) return proofs.error();
  ProofsAndRun all{.proofs = *std::move(proofs)};
  std::vector<Diagnostic> described;
  bool has_astray = false;
  for (const auto& order : orders) {
    auto ordered = plan;
    ordered.execution = *execution_from(order);
    const auto ran = program.run(ordered, verify_only);
    if (!ran) return ran.error();
    const auto* run = std::get_if<Run>(&*ran);
    if (!run) return Error{"the run failed: " + std::get<Failure>(*ran).message};
    // An access that leaves its object goes elsewhere, and threads that wait apart count barriers
    // apart, so races say nothing beside such faults.
    const bool is_astray =
        std::any_of(run->checks.faults.begin(), run->checks.faults.end(), [](const Fault& each) {
          const auto proof = description_of(each.kind).proof;
          return proof == ProofSubject::bounds || proof == ProofSubject::barriers;
        });
    has_astray = has_astray || is_astray;
    for (const auto& fault : run->checks.faults) {
      described.push_back(describe(fault, checked));
      for (const auto& proof : all.proofs)
        for (const auto& claim : proof.claims)
          if (!(is_astray && fault.kind == Fault::Kind::race) &&
              claim.answer == ProofAnswer::proved && fault.kernel == proof.kernel &&
              is_about(fault, claim))
            all.disagreements.push_back(fmt::format(
                "{}: {}, but a run ({}) says line {}: {}", proof.kernel, text_of(claim), order,
                described.back().place.range.begin.line, described.back().message));
    }
  }
  for (auto& proof : all.proofs) {
    note_faults(proof, described, checked.places);
    for (const auto& claim : proof.claims)
      if (!(has_astray && claim.subject == ProofSubject::races) && claim.counterexample &&
          claim.counterexample->is_certain && claim.confirmed == false)
        all.disagreements.push_back(
            fmt::format("{}: {}, but no run shows it", proof.kernel, text_of(claim)));
  }
  return all;
}

}  // namespace msci
