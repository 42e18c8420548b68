// The questions to Z3 about one kernel in launches with the same facts, and what the answers mean.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/facts/code.h"
#include "analysis/facts/event.h"
#include "analysis/facts/intervals.h"
#include "analysis/proofs/kernel_proof.h"
#include "analysis/proofs/prove.h"
#include "analysis/solver/z3.h"

namespace msci::prover {

class Questions {
 public:
  Questions(const Code& code, Z3& z3, const ProofLimits& limits, const ProofScope& scope);

  // Whether what is assumed of the launch cannot be.
  bool contradicts_itself();
  // Those about bounds, if one says that an access leaves a threadgroup array; otherwise none.
  std::vector<ProofClaim> claims_outside();
  // All claims about the kernel.
  std::vector<ProofClaim> claims();
  // Whether a limit of steps left a question open.
  bool met_limit() const { return met_limit_; }

 private:
  // How two threads relate.
  enum class Pair { one_threadgroup, other_simdgroups, one_simdgroup, other_threadgroups };
  // One of the ways in which a formula may become true.
  struct Case {
    Truth condition;
    unsigned place = 0;  // its number
    Term offset = number(0);
    bool misaligned = false;  // an access in its object, but not at a multiple of its alignment
  };
  // One of a list of accesses, which a thread may do: symbols that stand for it in a formula, and
  // for each case, an access to one object, what they are then.
  struct Choice {
    std::string formula;                  // one of the cases holds
    std::string chosen, offset, bytes;    // symbols
    std::vector<std::string> conditions;  // by case
    std::vector<unsigned> places;
    std::vector<std::string> offsets;
    std::vector<std::string> turns;          // the thread takes the sides of Following::turns
    std::vector<bool> is_exact;              // whether certainly no barrier lies on the way
    std::vector<bool> may_repeat;            // whether memory may already hold what it stores
    std::vector<std::string> ways;           // the condition under which the thread comes there
    std::vector<const llvm::Value*> stored;  // what a plain store writes; null for others
    // The value that it stores, and whether it writes, is atomic, adds, stores atomically, and has
    // such a value.
    std::array<std::string, 6> symbols;
  };

  bool leaves_threadgroup(const std::vector<ProofClaim>& bounds) const;
  void claim_barriers(std::vector<ProofClaim>& claims);
  std::optional<ProofClaim> find_divergence(const Barrier& barrier);
  ProofClaim diverging(const llvm::BasicBlock& branch, const Barrier& barrier, Pair pair);
  Truth only_one_comes(const llvm::BasicBlock& block, Pair pair);

  void claim_bounds(std::vector<ProofClaim>& claims);
  // Of the conditions whose faults such proofs exclude.
  void claim_conditions(ProofSubject subject, const std::string& object,
                        std::vector<ProofClaim>& claims);
  ProofClaim claim_on(ProofSubject subject, const std::string& object, std::vector<Case> cases);
  std::vector<Case> bad_accesses(unsigned object);

  void claim_races(std::vector<ProofClaim>& claims);
  ProofClaim races_on(const std::vector<unsigned>& objects);
  std::optional<ProofClaim> race_between(const std::vector<unsigned>& objects, Pair pair,
                                         const std::vector<Following>& accesses);
  Choice choose(Event& event, const std::string& name, const std::vector<Following>& accesses,
                const std::vector<unsigned>& objects, unsigned unit, bool only_writes);
  Truth same_iterations(Event& event, const Following& access);
  Truth makes_turns(Event& event, const Following& access);
  bool is_exact(Event& event, const Following& access) const;
  Term offset_in_memory(Event& event, const AccessCall& access, unsigned object);
  unsigned unit_of(const std::vector<Following>& accesses, const std::vector<unsigned>& objects);
  std::string distinct_slots();
  bool may_repeat(Event& event, const AccessCall& access);
  std::string stored_value(Event& event, const AccessCall& access);
  Truth relation(Pair pair);

  // Decides a formula, within what is left of the time.
  Solution solve(const std::vector<std::string>& formulas, std::vector<std::string> asked);
  ProofThread thread_of(const Solution& solution, const std::string& name, unsigned place) const;
  // The unknowns in the formulas of a fault: the fault may not happen because of them.
  std::vector<Unknown> unknowns_in(const std::vector<std::string>& formulas) const;
  // Fills in why the answer is not certain.
  void explain(ProofClaim& claim, const std::vector<std::string>& formulas);
  bool is_late() const;
  // The steps that making the terms is worth.
  void charge_work();
  ProofClaim undecided(ProofSubject subject, const std::string& object) const;

  const Code& code_;
  Z3& z3_;
  const ProofLimits& limits_;
  const ProofScope& scope_;
  std::uint64_t first_step_ = 0, charged_ = 0;
  bool met_limit_ = false;
  Script script_;
  Event first_, second_;
  std::vector<std::string> assumed_;        // formulas that bring in what is assumed
  std::set<const llvm::CallInst*> proved_;  // barriers that all threads reach together
  bool all_barriers_proved_ = true;
};

}  // namespace msci::prover
