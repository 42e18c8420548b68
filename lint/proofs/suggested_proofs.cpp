#include "lint/proofs/suggested_proofs.h"

#include <algorithm>

namespace msci {
namespace {

// A launch of a kernel takes LLVM about as long as so many steps for each byte of its IR.
double steps_per_byte(prover::Effort effort) {
  return effort == prover::Effort::quick ? 0.05 : 0.5;
}

// Buffers are long, since only a host knows their lengths, and data are any that the kernel is
// written for.
ProofScope scope_of(const LaunchSetting& setting, bool is_usual, prover::Effort effort) {
  return {.bounds_of_buffers = false,
          .flags_matter = setting.flags_matter,
          .stops_outside = is_usual,
          .any_data = true,
          .effort = effort};
}

}  // namespace

SuggestedProofs::SuggestedProofs(const Kernel& kernel, const KernelSignature& signature,
                                 const Unit& unit, const Translation& checked, prover::Z3& z3,
                                 const ProofLimits& limits, LaunchPurpose purpose,
                                 prover::Effort effort)
    : kernel_(kernel),
      signature_(signature),
      unit_(unit),
      checked_(checked),
      z3_(z3),
      limits_(limits),
      effort_(effort),
      shape_(shape_of(kernel, unit)),
      threadgroups_(suggest_threadgroups(shape_, signature, purpose)) {}

std::optional<std::size_t> SuggestedProofs::choose() {
  const auto several = first_that_fits();
  if (several) return several;
  usual_.groups = {1, 1, 1};
  return first_that_fits();
}

std::optional<std::size_t> SuggestedProofs::first_that_fits() {
  for (std::size_t i = 0; i < threadgroups_.size(); ++i)
    if (fits(i)) return i;
  return std::nullopt;
}

std::size_t SuggestedProofs::add(const Extent& threads) {
  threadgroups_.push_back({threads, false});
  return threadgroups_.size() - 1;
}

const KernelProof& SuggestedProofs::proof_of(std::size_t threadgroup,
                                             const LaunchSetting& setting) {
  auto& proof = proofs_[{threadgroup, setting}];
  if (!proof) proof = prove(threadgroups_[threadgroup].threads, setting, setting == usual_);
  return *proof;
}

KernelProof SuggestedProofs::proof_of(const Extent& threadgroup, const LaunchSetting& setting) {
  return prove(threadgroup, setting, false);
}

KernelProof SuggestedProofs::prove(const Extent& threadgroup, const LaunchSetting& setting,
                                   bool is_usual) {
  const auto bytes =
      static_cast<double>(checked_.ir.size()) / static_cast<double>(checked_.kernels.size());
  launches_ += static_cast<std::uint64_t>(steps_per_byte(effort_) * bytes);
  if (!has_steps()) {
    met_limit_ = true;
    return {};
  }
  const ProofLimits limits{.query_steps = limits_.query_steps,
                           .launch_steps = limits_.launch_steps - steps()};
  const auto facts = facts_of(threadgroup, setting, kernel_, shape_, signature_, unit_);
  auto proof = prove_launch(facts, checked_, z3_, limits, scope_of(setting, is_usual, effort_));
  if (!proof) {
    failure_ = proof.error().message;
    return {};
  }
  met_limit_ = met_limit_ || proof->met_limit;
  return *std::move(proof);
}

bool SuggestedProofs::fits(std::size_t threadgroup) {
  const auto& claims = proof_of(threadgroup, usual_).claims;
  return std::none_of(claims.begin(), claims.end(), [&](const ProofClaim& claim) {
    return claim.leaves_object() && is_in_threadgroup(claim.object);
  });
}

bool SuggestedProofs::is_in_threadgroup(const std::string& object) const {
  for (std::size_t i = 0; i < signature_.objects.size(); ++i)
    if (signature_.objects[i].name == object)
      return i >= signature_.arguments.size() ||
             signature_.arguments[i].kind == ArgumentKind::threadgroup;
  return false;
}

}  // namespace msci
