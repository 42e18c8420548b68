// A specialised kernel with the analyses that its formulas are made from.
#pragma once

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "analysis/facts/check_calls.h"
#include "analysis/facts/launch_facts.h"
#include "tasks/plan/program.h"

namespace msci::prover {

class Code {
  // What ScalarEvolution refers to.
  llvm::AssumptionCache assumptions_;
  llvm::TargetLibraryInfoImpl library_;
  llvm::TargetLibraryInfo functions_;

 public:
  // All must outlive it, and the kernel must not change.
  Code(llvm::Function& kernel, const KernelSignature& signature, const LaunchFacts& facts,
       const Translation& translation);

  llvm::Function& kernel;
  const KernelSignature& signature;
  const LaunchFacts& facts;
  const Translation& translation;
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::PostDominatorTree post_dominators;
  mutable llvm::ScalarEvolution evolution;
  KernelCalls calls;
  std::vector<const llvm::Loop*> all_loops;  // outer ones before those in them

  // The line of a place by its number; 0 where it is unknown.
  unsigned line(unsigned location) const;
  // The bytes of an object, from the byte that its offsets count from.
  std::size_t bytes_of(unsigned object) const;
  // Equal numbers: objects that share memory; and where an object begins there.
  std::size_t memory_of(unsigned object) const;
  std::size_t offset_of(unsigned object) const;
  bool is_threadgroup(unsigned object) const;
  // Whether the kernel writes the memory, through this name or another.
  bool is_written(unsigned object) const;
  // The objects that an access may be to; none if that is unknown.
  std::optional<std::set<unsigned>> objects_of(const llvm::Value& object) const;
  // Whether an access may be to an object in that memory.
  bool may_be_in(const AccessCall& access, std::size_t memory) const;
  // The object that a pointer leads into.
  std::optional<unsigned> object_of(const llvm::Value& pointer) const;

  // A number that no other value has.
  unsigned number_of(const llvm::Value& value) const {
    return numbers_.try_emplace(&value, numbers_.size()).first->second;
  }

  // The atomic sums that give each thread a number of its own, as a slot of a list: nothing but
  // sums of positive constants changes their memory.
  std::vector<const llvm::AtomicRMWInst*> counters() const;

  // The branches that decide whether a thread comes to the block, and those that decide about
  // these.
  std::set<const llvm::BasicBlock*> deciders(const llvm::BasicBlock& block) const;

  // Whether threads of one threadgroup may have different values of it in the same iteration of
  // all loops around it.
  bool varies(const llvm::Value& value) const { return varying_.contains(&value); }

 private:
  void find_varying();
  bool is_source(const llvm::Instruction& instruction) const;
  bool chooses_by_varying(const llvm::PHINode& phi) const;

  std::set<const llvm::Value*> varying_;
  mutable std::map<const llvm::Value*, unsigned> numbers_;
};

}  // namespace msci::prover
