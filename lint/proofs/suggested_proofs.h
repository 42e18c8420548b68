// Proofs of one kernel in the launches that its source suggests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/proofs/prove.h"
#include "lint/proofs/suggested_launches.h"
#include "tasks/plan/program.h"

namespace msci {

// Makes each proof when it is first asked for. What it is given must outlive it.
class SuggestedProofs {
 public:
  // `limits.launch_steps` are for all launches together.
  SuggestedProofs(const Kernel& kernel, const KernelSignature& signature, const Unit& unit,
                  const Translation& checked, prover::Z3& z3, const ProofLimits& limits,
                  LaunchPurpose purpose, prover::Effort effort = prover::Effort::full);

  // Chooses the first threadgroup that keeps all accesses within the threadgroup arrays. Kernels
  // for one threadgroup may call the position in it a position in the grid, so that grids of
  // several threadgroups come first, and of one then. Nothing where no launch fits.
  std::optional<std::size_t> choose();
  // The setting that the choice was made with.
  const LaunchSetting& usual() const { return usual_; }

  const KernelShape& shape() const { return shape_; }
  const std::vector<SuggestedThreadgroup>& threadgroups() const { return threadgroups_; }
  // Adds a threadgroup that the source does not name; returns its number.
  std::size_t add(const Extent& threads);

  // The proof with these threads; empty where the steps are used up.
  const KernelProof& proof_of(std::size_t threadgroup, const LaunchSetting& setting);
  KernelProof proof_of(const Extent& threadgroup, const LaunchSetting& setting);
  // From now on, barriers order only what their flags name.
  void let_flags_matter() { usual_.flags_matter = true; }

  // Whether no access leaves a threadgroup array, as far as the proof says.
  bool fits(std::size_t threadgroup);
  // Whether the object lies in threadgroup memory.
  bool is_in_threadgroup(const std::string& object) const;

  // What the proofs have taken so far, with what LLVM's part of each launch is worth.
  std::uint64_t steps() const { return z3_.steps() - first_step_ + launches_; }
  bool has_steps() const { return steps() < limits_.launch_steps; }
  // Whether a limit of steps left a question open.
  bool met_limit() const { return met_limit_; }
  // Why msci could not make a proof; empty if none failed.
  const std::string& failure() const { return failure_; }

 private:
  std::optional<std::size_t> first_that_fits();
  KernelProof prove(const Extent& threadgroup, const LaunchSetting& setting, bool is_usual);

  const Kernel& kernel_;
  const KernelSignature& signature_;
  const Unit& unit_;
  const Translation& checked_;
  prover::Z3& z3_;
  const ProofLimits limits_;
  const prover::Effort effort_;
  const KernelShape shape_;
  std::vector<SuggestedThreadgroup> threadgroups_;
  const std::uint64_t first_step_ = z3_.steps();
  std::uint64_t launches_ = 0;
  bool met_limit_ = false;
  std::string failure_;
  LaunchSetting usual_;
  std::map<std::pair<std::size_t, LaunchSetting>, std::optional<KernelProof>> proofs_;
};

}  // namespace msci
