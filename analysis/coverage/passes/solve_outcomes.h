// Asks Z3 about outcomes that no run has seen: they may be impossible, or need other sizes.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/coverage/certificate.h"
#include "analysis/coverage/launch_numbers.h"
#include "analysis/coverage/passes/host_numbers.h"
#include "analysis/terms/value_terms.h"
#include "base/result.h"
#include "tasks/plan/program.h"

namespace msci {

// Under which numbers of a launch a thread may see an outcome, as a formula for Z3.
//
// A formula is about bit vectors, as the numbers of the IR are, and says less than the code: values
// that are loaded, that loops compute or that have a fraction may be anything. So an outcome whose
// formula no values make true is impossible, and values that make it true are worth a run.
class OutcomeFormulas : public prover::Values {
 public:
  // The kernel must not change while this exists.
  OutcomeFormulas(llvm::Function& kernel, const KernelSignature& signature,
                  const std::vector<LaunchFact>& facts, const AllowedSizes& sizes,
                  prover::Script& script);

  // The bit of the call is set where a thread comes to the call.
  prover::Truth formula_of(const llvm::CallInst& call);
  // The symbol for a parameter of the size, to ask for its value.
  static std::string value_of(std::size_t parameter);
  // The size is one that runs should have, its sides have at most that product, and there are at
  // most so many steps.
  prover::Truth within(std::uint64_t volume, std::uint32_t steps);
  // No side is 1.
  prover::Truth without_sides_of_one() const;
  // Whether the bit of the call is about numbers of the launch or positions in it; and whether the
  // path to the call is.
  bool is_about_launch(const llvm::CallInst& call) {
    return is_sized(truth(*call.getArgOperand(1)));
  }
  bool has_path_about_launch(const llvm::CallInst& call) {
    return is_sized(branches_to(*call.getParent()));
  }

 private:
  using Kind = LaunchNumber::Kind;
  using Term = prover::Term;
  using Truth = prover::Truth;

  Term declare(const std::string& name, unsigned bits);
  Term symbol_of(const LaunchNumber& number);
  void state(const LaunchFact& fact);
  void state_sizes(const AllowedSizes& sizes);
  Truth sides_within(std::uint64_t volume);

  Term constant(const llvm::APInt& value) const override;
  Term of_binary(const llvm::BinaryOperator& operation, unsigned element, unsigned bits) override;
  Term of_cast(const llvm::CastInst& cast, unsigned element, unsigned bits) override;
  Term of_call(const llvm::CallInst& call, unsigned element, unsigned bits) override;
  Term of_phi(const llvm::PHINode& phi, unsigned element, unsigned bits) override;
  Truth of_comparison(const llvm::ICmpInst& comparison, unsigned element, unsigned bits) override;
  Truth truth_of_phi(const llvm::PHINode& phi, unsigned element) override;
  Term unknown_term(const llvm::Value& value, unsigned element, unsigned bits) override;
  Truth unknown_truth(const llvm::Value& value, unsigned element) override;
  Term of_loop_phi(const llvm::PHINode& phi, unsigned element, unsigned bits);
  Term of_position(llvm::StringRef name, unsigned dimension);
  // A new symbol.
  Term anything(unsigned bits);
  void set(Known& known, const Key& key, const Term& term);

  // What holds in each thread that comes to the block, by the branches before it and by what the
  // kernel may assume.
  Truth branches_to(const llvm::BasicBlock& block);
  Truth assumed_in(const llvm::BasicBlock& block);
  Truth edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  bool is_sized(const Truth& formula) const { return script_.needs_any(formula.text, launch_); }

  HostNumbers host_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::vector<const llvm::AssumeInst*> assumptions_;
  std::set<std::string> launch_;  // symbols of its numbers and of positions in it
  std::optional<Term> steps_;
  Truth usual_{"true"};
  std::vector<Term> sides_;
};

struct SolvedOutcomes {
  std::set<std::size_t> impossible;                      // by number
  std::vector<std::vector<std::uint32_t>> wanted_sizes;  // as in Certificate
};

// The outcomes of a kernel, of which those count that were never seen or are degenerate.
struct OutcomesToSolve {
  const std::vector<CertifiedOutcome>& all;  // by number
  const std::set<std::size_t>& degenerate;   // seen, but only where a side is 1
  const std::set<std::size_t>& found;        // that a wanted size is known to show
};

// Gets the answers so far.
using OnSolved = std::function<void(const SolvedOutcomes& part)>;

// `kernel`: with what is known of its launches, and the calls that are left. Sizes are for the
// outcomes that leave a verdict open, and for degenerate ones. Errors: there is something to solve,
// and Z3 is missing.
Result<SolvedOutcomes> solve_outcomes(llvm::Function& kernel, const KernelSignature& signature,
                                      const std::vector<LaunchFact>& facts,
                                      const AllowedSizes& sizes, const OutcomesToSolve& outcomes,
                                      const OnSolved& on_solved);

}  // namespace msci
