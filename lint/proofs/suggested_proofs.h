// Proofs of one kernel in the launches that its source suggests.
#pragma once

#include <clang/AST/Type.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/facts/launch_facts.h"
#include "analysis/proofs/prove.h"
#include "compiler/frontend/unit.h"
#include "tasks/plan/program.h"

namespace msci {

// What the source of a kernel says about the launches that it is written for.
struct KernelShape {
  // Whether the kernel looks at the position of its threads in a dimension: x, y, z.
  std::array<bool, 3> threads = {};
  // Whether it hands over a position of several dimensions as a whole, so that it may look at
  // fewer.
  bool is_vague = false;
  // Whether it looks at the position in the threadgroup, rather than in the grid only.
  std::array<bool, 3> in_threadgroup = {};
  // Whether it looks at the position of the threadgroup, or of the thread in the grid.
  std::array<bool, 3> groups = {};
  // Whether it tells the threads of a simdgroup apart, and no simdgroups or threads of a
  // threadgroup.
  bool is_for_one_simdgroup() const { return has_lanes && !has_simdgroups; }
  bool has_lanes = false;
  bool has_simdgroups = false;
  // Whether a parameter numbers the simdgroups of a threadgroup: then it has several.
  bool has_several_simdgroups = false;
  // Whether a barrier orders buffers, which is meant for kernels of one threadgroup.
  bool orders_device = false;
  // Whether a `simdgroup_barrier` names no memory that it orders.
  bool has_idle_simdgroup_barrier = false;
  // Otherwise it is meant for one thread of each threadgroup.
  bool tells_threads_apart() const {
    return threads[0] || threads[1] || threads[2] || has_lanes || has_simdgroups;
  }
  // Sides of its threadgroup arrays, outermost first.
  std::vector<std::vector<unsigned>> arrays = {};
  // Integer constants with a name, such as `constant uint side = 16;`.
  std::set<unsigned> constants = {};
};

KernelShape shape_of(const Kernel& kernel, const Unit& unit);

// Bytes of a value that a host may bind to a reference, `constant Sizes& sizes`: its integers are
// what `next` says of each, and its floats 1. Empty for types that hold more than numbers.
std::vector<std::byte> bytes_with(const std::function<std::uint64_t()>& next, clang::QualType type,
                                  const clang::ASTContext& ast);

// What launches are suggested for. Proofs may also try shapes that the source only hints at. A
// search for faults may not: one in such a launch says nothing about the launches of a host.
enum class LaunchPurpose { finding_faults, proving };

struct SuggestedThreadgroup {
  Extent threads;
  bool is_named = false;  // the source names this size; otherwise it is a common one
};

// The likeliest first.
std::vector<SuggestedThreadgroup> suggest_threadgroups(const KernelShape& shape,
                                                       const KernelSignature& signature,
                                                       LaunchPurpose purpose);

// The numbers that a host binds to references.
enum class BoundNumbers {
  of_grid,  // all as large as the grid
  rising,   // large ones, each larger than the one before
  falling,
  strides,  // each many times the one before it, also within a struct
  any,
};

struct LaunchSetting {
  std::array<unsigned, 3> groups{4, 4, 4};  // at most, by dimension
  BoundNumbers numbers = BoundNumbers::of_grid;
  // Whether a barrier orders only what its flags name. Most wrong flags are the matter of rules
  // that look at barriers.
  bool flags_matter = false;
  auto operator<=>(const LaunchSetting&) const = default;
};

// A launch of whole threadgroups, of several where the kernel looks at their position. Buffers are
// longer than anything that the kernel may reach.
prover::LaunchFacts facts_of(const Extent& threadgroup, const LaunchSetting& setting,
                             const Kernel& kernel, const KernelShape& shape,
                             const KernelSignature& signature, const Unit& unit);

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
