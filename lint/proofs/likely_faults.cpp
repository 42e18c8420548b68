#include "lint/proofs/likely_faults.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "analysis/instruments.h"
#include "analysis/proofs/prove.h"
#include "base/diagnostic_json.h"
#include "base/optional_json.h"
#include "base/process/heap.h"
#include "base/process/isolated_result.h"
#include "lint/analysis/proof_coverage.h"
#include "lint/proofs/plan_proofs.h"
#include "lint/proofs/suggested_proofs.h"
#include "lint/proofs/worth_proving.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LikelyFault, kernel, subject, object, in_threadgroup, first,
                                   second, both_write, behind_barrier, threads)

namespace {

// Steps of Z3 for a question and for a kernel, so that each machine finds the same, whatever other
// kernels the file has: a thousand take about a third of a millisecond.
constexpr unsigned query_steps = 16'000;
constexpr std::uint64_t kernel_steps = 60'000;
// What the process and the translation of a kernel are worth.
constexpr std::uint64_t process_steps = 5'000;
// What all kernels of a file take at most: the next ones are not proved, and the report says so.
constexpr std::uint64_t file_steps = 800'000;
// Of a kernel: a process that exceeds this has met something that the steps do not count. After two
// of them, the steps of the file are used up.
constexpr Limits process_limits{.seconds = 5};
// What Z3 allocates at once, and LLVM and Z3 for a usual kernel.
constexpr std::size_t usual_memory = std::size_t{31} << 20;

std::string text_of(const Extent& threadgroup) {
  if (threadgroup.z > 1)
    return fmt::format("{} x {} x {}", threadgroup.x, threadgroup.y, threadgroup.z);
  if (threadgroup.y > 1) return fmt::format("{} x {}", threadgroup.x, threadgroup.y);
  return std::to_string(threadgroup.x);
}

std::string text_of(const ThreadPosition& position) {
  if (position.z > 0) return fmt::format("({}, {}, {})", position.x, position.y, position.z);
  if (position.y > 0) return fmt::format("({}, {})", position.x, position.y);
  return std::to_string(position.x);
}

// "threads 0 and 32 of a threadgroup of 64".
std::string threads_of(const Counterexample& example, const Extent& threadgroup) {
  const auto launch = "a threadgroup of " + text_of(threadgroup);
  const auto& first = example.first;
  if (!example.second) return fmt::format("thread {} of {}", text_of(first.thread), launch);
  const auto& second = *example.second;
  if (first.threadgroup == second.threadgroup)
    return fmt::format("threads {} and {} of {}", text_of(first.thread), text_of(second.thread),
                       launch);
  return fmt::format("threads {} and {} of the threadgroups {} and {}, with {}",
                     text_of(first.thread), text_of(second.thread), text_of(first.threadgroup),
                     text_of(second.threadgroup), launch);
}

class KernelFaults {
 public:
  KernelFaults(const Translation& checked, const KernelSignature& signature, SuggestedProofs proofs)
      : checked_(checked), signature_(signature), proofs_(std::move(proofs)) {}

  const SuggestedProofs& made() const { return proofs_; }

  // Whether proofs of the launches that find() looks at leave no question open.
  bool excludes_all() {
    if (!shape().tells_threads_apart()) return true;
    const auto chosen = proofs_.choose();
    if (!chosen || shape().has_idle_simdgroup_barrier || (*chosen > 0 && signature_.thread_limit))
      return false;
    const auto& claims = proof_of(*chosen).claims;
    return !proofs_.met_limit() && proofs_.failure().empty() &&
           std::ranges::all_of(
               claims, [](const ProofClaim& claim) { return claim.answer == ProofAnswer::proved; });
  }

  std::vector<LikelyFault> find() {
    if (!shape().tells_threads_apart()) return {};
    const auto chosen = proofs_.choose();
    if (!chosen) {
      report_bounds_of_all();
      return std::move(faults_);
    }
    report_faults(*chosen);
    report_bounds_at_limit(*chosen);
    if (faults_.empty() && shape().has_idle_simdgroup_barrier) {
      proofs_.let_flags_matter();
      report_faults(*chosen);
    }
    return std::move(faults_);
  }

 private:
  const KernelShape& shape() const { return proofs_.shape(); }

  // In the usual setting.
  const KernelProof& proof_of(std::size_t threadgroup) {
    return proofs_.proof_of(threadgroup, proofs_.usual());
  }

  void report_faults(std::size_t chosen) {
    const auto& proof = proof_of(chosen);
    for (const auto& claim : proof.claims)
      if (is_fault(claim, proof) && is_confirmed(claim, chosen)) report(claim, chosen);
  }

  // Refuted for certain; or a race at a certain byte, if the data of the threads lead them there.
  // Threads that differ in a dimension at which the kernel does not look write the same. No rule
  // is about misaligned accesses.
  bool is_fault(const ProofClaim& claim, const KernelProof& proof) const {
    if (claim.subject == ProofSubject::bounds) return claim.leaves_object();
    if (claim.answer == ProofAnswer::refuted) return true;
    const auto& example = claim.counterexample;
    if (claim.subject != ProofSubject::races || !example || !example->is_certain_place ||
        (example->both_write && (shape().is_vague || !example->values_differ)))
      return false;
    return std::all_of(proof.claims.begin(), proof.claims.end(), [](const ProofClaim& each) {
      return each.subject != ProofSubject::barriers || each.answer == ProofAnswer::proved;
    });
  }

  // The proof's fault of the same kind and object.
  const ProofClaim* find(const KernelProof& proof, const ProofClaim& claim) const {
    for (const auto& other : proof.claims)
      if (other.subject == claim.subject && other.object == claim.object && is_fault(other, proof))
        return &other;
    return nullptr;
  }

  // Whatever numbers the host binds.
  bool holds_for_any_numbers(const ProofClaim& claim, std::size_t threadgroup) {
    auto setting = proofs_.usual();
    setting.numbers = BoundNumbers::any;
    return find(proofs_.proof_of(threadgroup, setting), claim);
  }

  // Accesses that leave a threadgroup array in all threadgroups, be they of one thread.
  void report_bounds_of_all() {
    const auto last = proofs_.add({1});
    for (const auto& claim : proof_of(last).claims) {
      if (!claim.leaves_object()) continue;
      bool is_in_all = holds_for_any_numbers(claim, last);
      for (std::size_t i = 0; i < last && is_in_all; ++i) is_in_all = find(proof_of(i), claim);
      if (is_in_all) report(claim, last);
    }
  }

  // Arrays that are too small for the threadgroup that the kernel allows itself, in a grid of one,
  // too: the kernel may take its position in the grid for that in the threadgroup.
  void report_bounds_at_limit(std::size_t chosen) {
    for (std::size_t i = 0; i < chosen; ++i) {
      if (signature_.thread_limit != proofs_.threadgroups()[i].threads.count()) continue;
      for (const auto& claim : proof_of(i).claims)
        if (claim.leaves_object() && proofs_.is_in_threadgroup(claim.object) &&
            find(proofs_.proof_of(i, {.groups = {1, 1, 1}}), claim) &&
            holds_for_any_numbers(claim, i))
          report(claim, i);
    }
  }

  // Two stores that meet in a large threadgroup may be meant for a smaller one.
  bool shows_in_smallest(const ProofClaim& claim) {
    const Extent few{shape().has_several_simdgroups ? 64U : 8U};
    const LaunchSetting alone{.groups = {1, 1, 1}};
    return find(proofs_.proof_of(few, alone), claim) != nullptr;
  }

  // Of what the host may bind, and of the grids that it may launch, several must show it.
  bool is_confirmed(const ProofClaim& claim, std::size_t chosen) {
    if (claim.answer != ProofAnswer::refuted && claim.counterexample->both_write &&
        !shows_in_smallest(claim))
      return false;
    if (claim.subject == ProofSubject::bounds) return holds_for_any_numbers(claim, chosen);
    const bool is_shared =
        claim.subject == ProofSubject::barriers || proofs_.is_in_threadgroup(claim.object);
    std::vector<LaunchSetting> settings;
    const auto add = [&](std::array<unsigned, 3> groups, BoundNumbers numbers) {
      settings.push_back({groups, numbers, proofs_.usual().flags_matter});
    };
    add(proofs_.usual().groups, BoundNumbers::rising);
    if (!is_shared) add(proofs_.usual().groups, BoundNumbers::falling);
    if (!is_shared && shape().orders_device) add({1, 1, 1}, BoundNumbers::of_grid);
    if (shape().groups[0] && shape().groups[1] && proofs_.usual().groups[0] > 1) {
      add({1, 4, 4}, BoundNumbers::of_grid);
      add({4, 1, 4}, BoundNumbers::of_grid);
    }
    for (const auto& setting : settings)
      if (!find(proofs_.proof_of(chosen, setting), claim)) return false;
    // The arrays that name a threadgroup say nothing about the elements of buffers.
    if (proofs_.threadgroups()[chosen].is_named && (is_shared || signature_.thread_limit))
      return true;
    // A threadgroup of another size must show it, too.
    for (std::size_t i = chosen + 1; i < proofs_.threadgroups().size(); ++i)
      if (proofs_.fits(i)) return find(proof_of(i), claim);
    return true;
  }

  void report(const ProofClaim& claim, std::size_t threadgroup) {
    const auto& example = *claim.counterexample;
    const auto place = [&](const std::optional<ProofThread>& at) {
      return at ? checked_.places[at->place] : Place{};
    };
    faults_.push_back(
        {.kernel = signature_.name,
         .subject = claim.subject,
         .object = claim.object,
         .in_threadgroup = proofs_.is_in_threadgroup(claim.object),
         .first = place(example.first),
         .second = place(example.second),
         .both_write = example.both_write,
         .behind_barrier = proofs_.usual().flags_matter,
         .threads = threads_of(example, proofs_.threadgroups()[threadgroup].threads)});
  }

  const Translation& checked_;
  const KernelSignature& signature_;
  SuggestedProofs proofs_;
  std::vector<LikelyFault> faults_;
};

// What the proofs of one kernel gave.
struct KernelResult {
  std::vector<LikelyFault> faults;
  std::uint64_t steps = 0;
  // Why they may have missed some: as UnprovedKernel has it, or empty.
  std::string reason, detail;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelResult, faults, steps, reason, detail)

// Loaded at the first question, since most kernels have none that needs it.
class LazyZ3 final : public prover::Z3 {
 public:
  void share(const std::string& commands) override { shared_ += commands; }
  prover::Solution solve(const std::string& commands, const std::vector<std::string>& asked,
                         unsigned steps) override {
    if (!z3_ && missing_.empty()) load();
    return z3_ ? z3_->solve(commands, asked, steps) : prover::Solution{};
  }
  std::uint64_t steps() override { return charged_ + (z3_ ? z3_->steps() : 0); }
  void charge(std::uint64_t steps) override { charged_ += steps; }

  // "libz3.so.4 is missing", if a question needed it.
  const std::string& missing() const { return missing_; }

 private:
  void load() {
    reserve_heap(usual_memory);
    auto opened = Z3::open();
    if (!opened) {
      missing_ = Z3::version().error().message;
      return;
    }
    z3_ = *std::move(opened);
    z3_->share(shared_);
  }

  std::unique_ptr<Z3> z3_;
  std::string shared_, missing_;
  std::uint64_t charged_ = 0;
};

constexpr const char* proofs_off = "proofs are off";
constexpr ProofLimits kernel_limits{.query_steps = query_steps, .launch_steps = kernel_steps};

// Of each kernel, the steps of a quick proof that excludes all faults, as most kernels have;
// nothing where a question is open. Generates code of the unit, which changes it.
std::vector<std::optional<std::uint64_t>> prove_quickly(const std::vector<Kernel>& kernels,
                                                        Unit& unit) {
  std::vector<std::optional<std::uint64_t>> steps(kernels.size());
  KernelNames names;
  for (const auto& kernel : kernels) names.push_back(kernel.name);
  const auto translation = translate(unit, names, {}, TranslationPurpose::proving);
  if (!translation) return steps;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const auto* signature = translation->find(kernels[i].name);
    if (!signature) continue;
    const auto z3 = prover::Z3::none();
    KernelFaults proofs(
        *translation, *signature,
        SuggestedProofs(kernels[i], *signature, unit, *translation, *z3, kernel_limits,
                        LaunchPurpose::finding_faults, prover::Effort::quick));
    if (proofs.excludes_all()) steps[i] = proofs.made().steps();
  }
  return steps;
}

// Generates code of the unit, which changes it.
Result<KernelResult> prove_kernel(const Kernel& kernel, Unit& unit) {
  LazyZ3 z3;
  const auto checked = translate(unit, {kernel.name}, {}, TranslationPurpose::checking);
  if (!checked) return KernelResult{.reason = "not translated", .detail = checked.error().message};
  const auto* signature = checked->find(kernel.name);
  if (!signature) return KernelResult{.reason = "not translated"};
  KernelFaults proofs(*checked, *signature,
                      SuggestedProofs(kernel, *signature, unit, *checked, z3, kernel_limits,
                                      LaunchPurpose::finding_faults));
  KernelResult result{.faults = proofs.find(), .steps = proofs.made().steps()};
  if (!z3.missing().empty() && proofs.made().met_limit()) {
    result.reason = proofs_off;
    result.detail = z3.missing();
  } else if (const auto& failure = proofs.made().failure(); !failure.empty()) {
    result.reason = proof_stopped;
    result.detail = failure;
  } else if (proofs.made().met_limit()) {
    result.reason = "budget";
  }
  return result;
}

KernelResult result_of(const Result<IsolatedOutcome>& outcome) {
  auto result = result_in<KernelResult>(outcome, {});
  if (result) return *std::move(result);
  return {.steps = file_steps / 2, .reason = proof_stopped, .detail = result.error().message};
}

// Proves kernels of a unit side by side in copies of this process: what crashes or exceeds a limit
// there costs no other finding, and the unit here does not change. Quick proofs of several kernels
// share a process. What they leave open gets a process for each kernel, so that no kernel changes
// what is found in another one.
class ProofsApart {
 public:
  ProofsApart(const std::vector<ProofCandidate>& candidates, const Unit& unit)
      : candidates_(candidates), unit_(unit), results_(candidates.size()) {}

  // Of one that is not too large, in order. Those behind it may be proved with it.
  KernelResult take(std::size_t candidate) {
    if (candidate >= tried_) try_from(candidate);
    if (!results_[candidate]) prove_from(candidate);
    return *std::move(results_[candidate]);
  }

 private:
  void try_from(std::size_t first) {
    constexpr std::size_t most = 16;
    std::vector<std::size_t> group;
    for (tried_ = first; tried_ < candidates_.size() && group.size() < most; ++tried_)
      if (!candidates_[tried_].is_too_large) group.push_back(tried_);
    // Starting a process takes as long as the quick proofs of a few kernels.
    constexpr std::size_t least = 4;
    const auto shares = (group.size() + least - 1) / least;
    const auto work_at = [&](std::size_t share) -> Work {
      return [=, this] {
        std::vector<Kernel> kernels;
        for (auto i = share; i < group.size(); i += shares)
          kernels.push_back(candidates_[group[i]].kernel);
        return to_msgpack(Result(prove_quickly(kernels, const_cast<Unit&>(unit_))));
      };
    };
    const auto outcomes = run_isolated(shares, work_at, shares, process_limits);
    for (std::size_t share = 0; share < shares; ++share) {
      const auto steps = result_in<std::vector<std::optional<std::uint64_t>>>(outcomes[share], {});
      if (!steps) continue;
      for (std::size_t i = 0; i < steps->size(); ++i)
        if ((*steps)[i]) results_[group[share + i * shares]] = KernelResult{.steps = *(*steps)[i]};
    }
  }

  void prove_from(std::size_t first) {
    std::vector<std::size_t> group;
    for (auto i = first; i < tried_ && group.size() < at_once_; ++i)
      if (!candidates_[i].is_too_large && !results_[i]) group.push_back(i);
    const auto work_at = [&](std::size_t i) -> Work {
      return [this, &kernel = candidates_[group[i]].kernel] {
        return to_msgpack(prove_kernel(kernel, const_cast<Unit&>(unit_)));
      };
    };
    const auto outcomes = run_isolated(group.size(), work_at, at_once_, process_limits);
    for (std::size_t i = 0; i < group.size(); ++i) results_[group[i]] = result_of(outcomes[i]);
  }

  const std::vector<ProofCandidate>& candidates_;
  const Unit& unit_;
  const unsigned at_once_ = std::clamp(std::thread::hardware_concurrency(), 1U, 4U);
  std::vector<std::optional<KernelResult>> results_;
  std::size_t tried_ = 0;  // the candidates before it had a quick proof
};

// The unit here does not know a file in which only the copy of it has located something.
Place located_here(const Place& place, const Unit& unit) {
  if (place.file.empty()) return place;
  auto& sources = unit.ast().getSourceManager();
  const auto file = sources.getFileManager().getOptionalFileRef(place.file);
  if (!file) return {};
  const auto [line, column] = place.range.begin;
  return unit.locate(sources.translateFileLineCol(*file, line, column));
}

struct FaultsOfUnit {
  std::vector<LikelyFault> faults;
  ProofCoverage coverage;
};

FaultsOfUnit find_faults(const Unit& unit) {
  FaultsOfUnit found;
  const auto candidates = kernels_worth_proving(unit);
  for (const auto& each : candidates) found.coverage.kernels.push_back(each.kernel.name);
  ProofsApart proofs(candidates, unit);
  auto left = file_steps;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto& [kernel, is_too_large] = candidates[i];
    KernelResult result;
    if (is_too_large) {
      result.reason = "too large";
    } else if (left == 0) {
      result.reason = "budget of the file";
    } else {
      result = proofs.take(i);
      left -= std::min(left, process_steps + result.steps);
    }
    if (result.reason == proofs_off) found.coverage.off = std::exchange(result.detail, "");
    if (!result.reason.empty())
      found.coverage.unproved.push_back({kernel.name, result.reason, result.detail});
    for (auto& fault : result.faults) {
      for (auto* place : {&fault.first, &fault.second}) *place = located_here(*place, unit);
      found.faults.push_back(std::move(fault));
    }
  }
  return found;
}

}  // namespace

std::vector<LikelyFault> likely_faults(const clang::FunctionDecl& kernel, const Unit& unit,
                                       const Contract& contract) {
  const auto& [all, coverage] =
      unit.cache().get<FaultsOfUnit>(&unit, [&] { return find_faults(unit); });
  unit.cache().get<ProofCoverage>(&unit, [&] { return coverage; });  // for the report
  std::vector<LikelyFault> faults;
  for (const auto& [name, declaration] : unit.kernels())
    if (declaration == &kernel)
      std::copy_if(all.begin(), all.end(), std::back_inserter(faults),
                   [&](const LikelyFault& each) { return each.kernel == name; });
  std::erase_if(faults, [&](const LikelyFault& each) {
    return is_excluded_by_task(kernel, each.subject, each.object, unit, contract);
  });
  return faults;
}

}  // namespace msci
