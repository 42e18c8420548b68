#include "analysis/proofs/kernel_questions.h"

#include <fmt/format.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "analysis/proofs/affine.h"
#include "analysis/proofs/assumed.h"
#include "analysis/proofs/show.h"

namespace msci::prover {
namespace {

std::vector<std::string> positions_of(const std::string& name) {
  std::vector<std::string> all;
  for (const char* prefix : {"l", "g"})
    for (const char* dimension : {"x", "y", "z"}) all.push_back(prefix + (dimension + name));
  return all;
}

}  // namespace

Questions::Questions(const Code& code, Z3& z3, const ProofLimits& limits, const ProofScope& scope)
    : code_(code),
      z3_(z3),
      limits_(limits),
      scope_(scope),
      first_step_(z3.steps()),
      first_(code, script_, "s"),
      second_(code, script_, "t"),
      assumed_(assume(code, script_)) {}

bool Questions::contradicts_itself() {
  return !assumed_.empty() && solve(assumed_, {}).answer == Answer::impossible;
}

std::vector<ProofClaim> Questions::claims_outside() {
  std::vector<ProofClaim> bounds;
  claim_bounds(bounds);
  charge_work();
  if (!leaves_threadgroup(bounds)) bounds.clear();
  return bounds;
}

std::vector<ProofClaim> Questions::claims() {
  std::vector<ProofClaim> claims, bounds;
  if (scope_.stops_outside) {
    claim_bounds(bounds);
    if (leaves_threadgroup(bounds)) return bounds;
  }
  claim_barriers(claims);
  if (scope_.stops_outside)
    std::move(bounds.begin(), bounds.end(), std::back_inserter(claims));
  else
    claim_bounds(claims);
  claim_races(claims);
  // Last: they change no other answer where the steps end.
  if (scope_.arithmetic)
    for (const auto subject : arithmetic_subjects) claim_conditions(subject, "", claims);
  charge_work();
  return claims;
}

bool Questions::leaves_threadgroup(const std::vector<ProofClaim>& bounds) const {
  const auto& objects = code_.signature.objects;
  return std::any_of(bounds.begin(), bounds.end(), [&](const ProofClaim& claim) {
    if (!claim.leaves_object()) return false;
    for (unsigned i = 0; i < objects.size(); ++i)
      if (objects[i].name == claim.object && code_.is_threadgroup(i)) return true;
    return false;
  });
}

// ---- asking

void Questions::charge_work() {
  z3_.charge(script_.work() - charged_);
  charged_ = script_.work();
}

bool Questions::is_late() const { return z3_.steps() - first_step_ >= limits_.launch_steps; }

Solution Questions::solve(const std::vector<std::string>& formulas,
                          std::vector<std::string> asked) {
  charge_work();
  if (is_late()) {
    met_limit_ = true;
    return {};
  }
  if (std::find(formulas.begin(), formulas.end(), "false") != formulas.end())
    return {Answer::impossible, {}};
  const bool is_of_two = std::ranges::find(asked, positions_of("t").front()) != asked.end();
  auto all = formulas;
  for (const auto& name : asked)
    if (script_.has(name)) all.push_back(name);
  std::erase_if(asked, [&](const std::string& name) { return !script_.has(name); });
  auto commands = script_.preamble_of(all);
  for (const auto& formula : formulas) commands += assertion_of(formula);
  show([&] { return commands + "(check-sat)\n"; });
  const auto before = z3_.steps();
  const auto left = limits_.launch_steps - (before - first_step_);
  const auto steps = std::min<std::uint64_t>(limits_.query_steps, left);
  auto [solution, affine_steps] = solve_affine(commands, asked);
  z3_.charge(affine_steps);
  // Which threads and accesses a finding about two threads names is Z3's choice, if it has one.
  if (solution.answer == Answer::undecided || (solution.answer == Answer::possible && is_of_two))
    if (auto chosen = z3_.solve(commands, asked, static_cast<unsigned>(steps));
        chosen.answer != Answer::undecided)
      solution = std::move(chosen);
  show([&] { return fmt::format("; {} steps\n\n", z3_.steps() - before); });
  met_limit_ = met_limit_ || solution.answer == Answer::undecided;
  return solution;
}

ProofThread Questions::thread_of(const Solution& solution, const std::string& name,
                                 unsigned place) const {
  const auto at = [&](const char* prefix) {
    const auto of = [&](const char* dimension) {
      return static_cast<unsigned>(integer_of(solution, std::string(prefix) + dimension + name));
    };
    return ThreadPosition{of("x"), of("y"), of("z")};
  };
  return {.thread = at("l"), .threadgroup = at("g"), .line = code_.line(place), .place = place};
}

std::vector<Unknown> Questions::unknowns_in(const std::vector<std::string>& formulas) const {
  auto unknowns = script_.unknowns_in(formulas);
  if (scope_.any_data)
    std::erase_if(unknowns, [](const Unknown& unknown) { return unknown.is_limited; });
  return unknowns;
}

void Questions::explain(ProofClaim& claim, const std::vector<std::string>& formulas) {
  const auto unknowns = unknowns_in(formulas);
  claim.answer = unknowns.empty() ? ProofAnswer::refuted : ProofAnswer::unknown;
  if (claim.counterexample) claim.counterexample->is_certain = unknowns.empty();
  if (unknowns.empty()) return;
  // The one with a line says most.
  const auto& best = *std::max_element(
      unknowns.begin(), unknowns.end(),
      [](const Unknown& a, const Unknown& b) { return (a.line > 0) < (b.line > 0); });
  claim.reason = "it depends on " + best.what;
  claim.line = best.line;
}

ProofClaim Questions::undecided(ProofSubject subject, const std::string& object) const {
  return {.subject = subject,
          .object = object,
          .answer = ProofAnswer::unknown,
          .reason = is_late() ? "the steps for this kernel are used up"
                              : "Z3 does not decide it within its steps"};
}

// ---- threads

Truth Questions::relation(Pair pair) {
  const auto alike = [&](bool of_group) {
    Truth all{"true"};
    for (unsigned d = 0; d < 3; ++d)
      all = all && (of_group ? equal(first_.group(d), second_.group(d))
                             : equal(first_.local(d), second_.local(d)));
    // Of one thread, the terms are different texts and may be equal.
    return all;
  };
  const auto simdgroup_of = [&](Event& event) {
    return Terms(script_).divide(event.index(), number(32));
  };
  auto all = first_.exists() && second_.exists();
  switch (pair) {
    case Pair::other_threadgroups:
      return all && !alike(true);
    case Pair::one_threadgroup:
      return all && alike(true) && !alike(false);
    case Pair::one_simdgroup:
      return all && alike(true) && !alike(false) &&
             equal(simdgroup_of(first_), simdgroup_of(second_));
    case Pair::other_simdgroups:
      return all && alike(true) && !equal(simdgroup_of(first_), simdgroup_of(second_));
  }
  return all;
}

// ---- barriers

ProofClaim Questions::diverging(const llvm::BasicBlock& branch, const Barrier& barrier, Pair pair) {
  ProofClaim claim{.subject = ProofSubject::barriers};
  const auto& condition = *llvm::cast<llvm::BranchInst>(branch.getTerminator())->getCondition();
  auto formula = relation(pair) && first_.reaches(branch) && second_.reaches(branch) &&
                 !equal(first_.truth(condition), second_.truth(condition));
  for (const auto* loop = code_.loops.getLoopFor(&branch); loop; loop = loop->getParentLoop())
    formula = formula && equal(first_.iteration(*loop), second_.iteration(*loop));
  auto asked = positions_of("s");
  for (const auto& each : positions_of("t")) asked.push_back(each);
  const auto solution = solve({formula.text}, asked);
  if (solution.answer == Answer::impossible) {
    claim.answer = ProofAnswer::proved;
    return claim;
  }
  if (solution.answer == Answer::undecided) return undecided(ProofSubject::barriers, "");
  const auto note = [&](const Solution& found, const Truth& of) {
    claim.counterexample = {.first = thread_of(found, "s", barrier.location),
                            .second = thread_of(found, "t", barrier.location)};
    explain(claim, {of.text});
    claim.line = claim.line ? claim.line : code_.line(barrier.location);
  };
  note(solution, formula);
  if (claim.answer != ProofAnswer::refuted) return claim;
  // Both ways may lead to the barrier.
  const auto apart = only_one_comes(*barrier.call->getParent(), pair);
  const auto decided = solve({apart.text}, asked);
  if (decided.answer == Answer::undecided) return undecided(ProofSubject::barriers, "");
  if (decided.answer == Answer::possible)
    note(decided, apart);
  else
    claim = {.subject = ProofSubject::barriers, .answer = ProofAnswer::proved};
  return claim;
}

// The first thread comes to the block, and the second does not, in the same iterations.
Truth Questions::only_one_comes(const llvm::BasicBlock& block, Pair pair) {
  auto apart = relation(pair) && first_.reaches(block) && !second_.reaches(block);
  for (const auto* loop = code_.loops.getLoopFor(&block); loop; loop = loop->getParentLoop())
    apart = apart && equal(first_.iteration(*loop), second_.iteration(*loop));
  return apart;
}

// Nothing where all threads that a barrier is for come to it together.
std::optional<ProofClaim> Questions::find_divergence(const Barrier& barrier) {
  std::optional<ProofClaim> found;
  for (const auto* branch : code_.deciders(*barrier.call->getParent())) {
    const auto* jump = llvm::dyn_cast<llvm::BranchInst>(branch->getTerminator());
    if (!jump) {
      auto claim = undecided(ProofSubject::barriers, "");
      claim.reason = "the way to the barrier is not a plain branch";
      return claim;
    }
    if (!code_.varies(*jump->getCondition())) continue;
    auto claim = diverging(*branch, barrier,
                           barrier.of_simdgroup ? Pair::one_simdgroup : Pair::one_threadgroup);
    if (claim.answer == ProofAnswer::refuted) return claim;
    if (claim.answer == ProofAnswer::unknown) found = std::move(claim);
  }
  return found;
}

void Questions::claim_barriers(std::vector<ProofClaim>& claims) {
  if (code_.calls.barriers.empty()) return;
  ProofClaim all{.subject = ProofSubject::barriers, .answer = ProofAnswer::proved};
  for (const auto& barrier : code_.calls.barriers) {
    auto claim = find_divergence(barrier);
    if (!claim) {
      proved_.insert(barrier.call);
      continue;
    }
    all_barriers_proved_ = false;
    if (claim->line == 0) claim->line = code_.line(barrier.location);
    if (all.answer == ProofAnswer::proved || claim->answer == ProofAnswer::refuted)
      all = *std::move(claim);
  }
  claims.push_back(std::move(all));
}

// ---- bounds

// The accesses that leave the object, and those in it that are misaligned.
std::vector<Questions::Case> Questions::bad_accesses(unsigned object) {
  std::vector<Case> cases;
  Terms terms(script_);
  for (const auto& access : code_.calls.accesses) {
    if (!access.bounds) continue;
    const auto objects = code_.objects_of(*access.object);
    if (objects && !objects->contains(object)) continue;
    auto& event = first_;
    const auto offset = terms.as_signed(event.term(*access.offset), 64);
    const auto end = terms.add(offset, number(access.bytes));
    const auto leaves = less(offset, number(0)) || less(event.bytes_of(object), end) ||
                        event.truth(*access.wrapped);
    const auto add = [&](const Truth& bad, bool misaligned) {
      auto condition = event.reaches(*access.call->getParent()) && bad;
      if (!llvm::isa<llvm::ConstantInt>(access.object))
        condition = condition && equal(event.term(*access.object), number(object));
      if (!condition.is_false())
        cases.push_back({terms.shared(condition), access.location, offset, misaligned});
    };
    add(leaves, false);
    if (access.align == 1) continue;
    const auto address = terms.add(offset, number(static_cast<Wide>(code_.offset_of(object))));
    add(!leaves && !equal(terms.remainder(address, number(access.align)), number(0)), true);
  }
  return cases;
}

// An access outside of the object counts more than a misaligned one, so it is asked for first.
ProofClaim Questions::claim_on(ProofSubject subject, const std::string& object,
                               std::vector<Case> cases) {
  std::stable_partition(cases.begin(), cases.end(),
                        [](const Case& each) { return !each.misaligned; });
  ProofClaim claim{.subject = subject, .object = object, .answer = ProofAnswer::proved};
  auto any = Truth{"false"};
  for (const auto& each : cases) any = any || each.condition;
  if (any.is_false()) return claim;
  const auto exists = first_.exists();
  const auto whole = solve({exists.text, any.text}, {});
  if (whole.answer == Answer::impossible) return claim;
  // Which of them it is.
  std::optional<ProofClaim> open;
  for (const auto& each : cases) {
    auto asked = positions_of("s");
    const auto at = script_.define("o", Sort::integer, each.offset.text);
    asked.push_back(at);
    const auto solution = solve({exists.text, each.condition.text}, asked);
    if (solution.answer == Answer::impossible) continue;
    if (solution.answer == Answer::undecided) {
      if (!open) open = undecided(subject, object);
      open->line = code_.line(each.place);
      continue;
    }
    claim.counterexample = Counterexample{.first = thread_of(solution, "s", each.place),
                                          .offset = integer_of(solution, at),
                                          .misaligned = each.misaligned};
    claim.reason.clear();
    claim.line = 0;
    explain(claim, {each.condition.text});
    if (claim.line == 0) claim.line = code_.line(each.place);
    if (claim.answer == ProofAnswer::refuted) return claim;
    if (!open || !open->counterexample) open = claim;
  }
  if (open) return *open;
  claim.answer = ProofAnswer::proved;
  claim.counterexample.reset();
  return claim;
}

void Questions::claim_bounds(std::vector<ProofClaim>& claims) {
  const bool follows_pointers = code_.signature.anywhere.has_value();
  const auto first_array = static_cast<unsigned>(code_.signature.arguments.size());
  for (unsigned i = scope_.bounds_of_buffers ? 0 : first_array; i < code_.signature.objects.size();
       ++i) {
    const bool is_touched = std::any_of(code_.calls.accesses.begin(), code_.calls.accesses.end(),
                                        [&](const AccessCall& access) {
                                          const auto objects = code_.objects_of(*access.object);
                                          return access.bounds && objects && objects->contains(i);
                                        });
    if (is_touched)
      claims.push_back(
          claim_on(ProofSubject::bounds, code_.signature.objects[i].name, bad_accesses(i)));
  }
  if (follows_pointers)
    claims.push_back({.subject = ProofSubject::bounds,
                      .object = "memory behind pointers",
                      .reason = "the kernel follows pointers that it loads"});
  claim_conditions(ProofSubject::bounds, "indices of arrays and vectors", claims);
}

void Questions::claim_conditions(ProofSubject subject, const std::string& object,
                                 std::vector<ProofClaim>& claims) {
  bool has_any = false;
  std::vector<Case> cases;
  for (const auto& condition : code_.calls.conditions) {
    if (description_of(condition.kind).proof != subject) continue;
    has_any = true;
    const auto fails =
        first_.reaches(*condition.call->getParent()) && !first_.truth(*condition.holds);
    if (!fails.is_false())
      cases.push_back({Terms(script_).shared(fails), condition.location, number(0),
                       condition.kind == Fault::Kind::misaligned});
  }
  if (has_any) claims.push_back(claim_on(subject, object, std::move(cases)));
}

}  // namespace msci::prover
