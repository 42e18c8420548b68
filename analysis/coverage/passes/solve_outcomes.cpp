#include "analysis/coverage/passes/solve_outcomes.h"

#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "analysis/coverage/passes/cover_outcomes.h"
#include "analysis/solver/z3.h"

namespace msci {
namespace {

using prover::Answer;
using prover::Truth;

// Steps of Z3, which takes about three million a second: for the outcomes of a kernel that leave a
// verdict open, and for the others.
struct SolverLimits {
  unsigned steps_of_query;
  std::uint64_t steps_of_kernel;
};
constexpr SolverLimits for_decisive{1'500'000, 2'500'000};
constexpr SolverLimits for_others{150'000, 300'000};

constexpr std::size_t most_sizes = 8;  // of a kernel
// Tried first: such runs take little time.
constexpr std::uint64_t small_volume = 1 << 14;
constexpr std::uint32_t few_steps = 4;

class Solver {
 public:
  Solver(prover::Z3& z3, prover::Script& script, OutcomeFormulas& formulas,
         const AllowedSizes& sizes)
      : z3_(z3), script_(script), formulas_(formulas), sizes_(sizes) {
    for (std::size_t i = 0; i < sizes.parameters.size(); ++i)
      asked_.push_back(OutcomeFormulas::value_of(i));
  }

  void limit(const SolverLimits& limits) {
    limits_ = limits;
    begin_ = z3_.steps();
  }

  bool is_impossible(const Truth& formula) {
    return solve(formula, {}).answer == Answer::impossible;
  }

  // The values of a size's parameters at which the formula may be true.
  std::optional<std::vector<std::uint32_t>> size_for(const Truth& formula) {
    if (asked_.empty()) return std::nullopt;
    const std::pair quick{std::min(small_volume, sizes_.most_volume), few_steps};
    for (const auto& [volume, steps] : {quick, std::pair{sizes_.most_volume, ~0U}})
      if (const auto solution = solve(formula && formulas_.within(volume, steps), asked_);
          solution.answer == Answer::possible) {
        std::vector<std::uint32_t> values;
        for (const auto& each : asked_)
          values.push_back(static_cast<std::uint32_t>(integer_of(solution, each)));
        return values;
      }
    return std::nullopt;
  }

 private:
  bool is_late() const { return z3_.steps() - begin_ > limits_.steps_of_kernel; }

  prover::Solution solve(const Truth& formula, const std::vector<std::string>& asked) {
    if (is_late()) return {};
    z3_.share(script_.take_new());
    return z3_.solve(prover::assertion_of(formula.text), asked, limits_.steps_of_query);
  }

  prover::Z3& z3_;
  prover::Script& script_;
  OutcomeFormulas& formulas_;
  const AllowedSizes& sizes_;
  std::vector<std::string> asked_;
  SolverLimits limits_ = for_decisive;
  std::uint64_t begin_ = z3_.steps();
};

// LLVM may have made copies of a call.
using Calls = std::map<std::size_t, std::vector<const llvm::CallInst*>>;

Calls calls_of(llvm::Function& kernel) {
  Calls calls;
  for (const auto& instruction : llvm::instructions(kernel))
    if (const auto* call = outcome_call(instruction)) calls[outcome_number(*call)].push_back(call);
  return calls;
}

// The blocks that some thread has come to, as one of their outcomes shows.
std::set<const llvm::BasicBlock*> reached_blocks(const Calls& calls,
                                                 const std::vector<CertifiedOutcome>& outcomes) {
  std::set<const llvm::BasicBlock*> reached;
  for (const auto& [number, copies] : calls)
    if (outcomes.at(number).status == CertifiedOutcome::Status::seen)
      for (const auto* call : copies) reached.insert(call->getParent());
  return reached;
}

// How many instructions compute the bit of a call.
std::size_t length_of(const llvm::CallInst& call) {
  std::set<const llvm::Value*> known;
  std::vector<const llvm::Value*> open{call.getArgOperand(1)};
  while (!open.empty()) {
    const auto* each = llvm::dyn_cast<llvm::Instruction>(open.back());
    open.pop_back();
    if (!each || !known.insert(each).second) continue;
    open.insert(open.end(), each->op_begin(), each->op_end());
  }
  return known.size();
}

// The numbers of the outcomes that were never seen and pass a test, short ones first: one long hash
// may take all the time that there is.
std::vector<std::size_t> never_seen(const Calls& calls, const OutcomesToSolve& outcomes,
                                    const std::function<bool(const CertifiedOutcome&)>& passes) {
  std::vector<std::size_t> numbers;
  for (const auto& [number, copies] : calls)
    if (outcomes.all.at(number).status == CertifiedOutcome::Status::never &&
        !outcomes.found.contains(number) && passes(outcomes.all.at(number)))
      numbers.push_back(number);
  std::ranges::stable_sort(
      numbers, {}, [&](std::size_t number) { return length_of(*calls.at(number).front()); });
  return numbers;
}

// What is asked about the outcomes of one kernel.
class Questions {
 public:
  Questions(Solver& solver, OutcomeFormulas& formulas, const Calls& calls,
            const std::vector<CertifiedOutcome>& outcomes)
      : solver_(solver),
        formulas_(formulas),
        calls_(calls),
        reached_(reached_blocks(calls, outcomes)) {}

  void exclude(std::size_t number, bool wants_size) {
    bool is_impossible = true;
    for (const auto* call : calls_.at(number)) {
      const auto formula = formulas_.formula_of(*call);
      if (solver_.is_impossible(formula)) continue;
      is_impossible = false;
      if (!wants_size) break;
      want_size(*call, formula);
    }
    if (is_impossible) solved_.impossible.insert(number);
  }

  void want_without_sides_of_one(std::size_t number) {
    const auto copies = calls_.find(number);
    if (copies == calls_.end()) return;
    for (const auto* call : copies->second)
      want_size(*call, formulas_.formula_of(*call) && formulas_.without_sides_of_one());
  }

  const SolvedOutcomes& solved() const { return solved_; }

 private:
  void want_size(const llvm::CallInst& call, const Truth& formula) {
    auto& sizes = solved_.wanted_sizes;
    if (!needs_size(call) || sizes.size() == most_sizes) return;
    auto size = solver_.size_for(formula);
    if (size && std::ranges::find(sizes, *size) == sizes.end()) sizes.push_back(*std::move(size));
  }

  // Otherwise it needs data, which no size has for sure.
  bool needs_size(const llvm::CallInst& call) {
    return formulas_.is_about_launch(call) ||
           (!reached_.contains(call.getParent()) && formulas_.has_path_about_launch(call));
  }

  Solver& solver_;
  OutcomeFormulas& formulas_;
  const Calls& calls_;
  std::set<const llvm::BasicBlock*> reached_;
  SolvedOutcomes solved_;
};

}  // namespace

// Outcomes that leave a verdict open come first: there may be no time for all.
Result<SolvedOutcomes> solve_outcomes(llvm::Function& kernel, const KernelSignature& signature,
                                      const std::vector<LaunchFact>& facts,
                                      const AllowedSizes& sizes, const OutcomesToSolve& outcomes,
                                      const OnSolved& on_solved) {
  const auto calls = calls_of(kernel);
  const auto decisive = never_seen(calls, outcomes, is_decisive);
  const auto others = never_seen(calls, outcomes, std::not_fn(is_decisive));
  if (decisive.empty() && others.empty() && outcomes.degenerate.empty()) return SolvedOutcomes{};
  const auto z3 = prover::Z3::open();
  if (!z3) return z3.error();
  prover::Script script;
  OutcomeFormulas formulas(kernel, signature, facts, sizes, script);
  Solver solver(**z3, script, formulas, sizes);
  Questions questions(solver, formulas, calls, outcomes.all);
  for (const auto number : decisive) {
    questions.exclude(number, /*wants_size=*/true);
    on_solved(questions.solved());
  }
  for (const auto number : outcomes.degenerate)
    if (!outcomes.found.contains(number)) questions.want_without_sides_of_one(number);
  on_solved(questions.solved());
  solver.limit(for_others);
  for (const auto number : others) questions.exclude(number, /*wants_size=*/false);
  return questions.solved();
}

}  // namespace msci
