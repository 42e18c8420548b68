// Under which numbers of a launch a thread may see an outcome, as a formula for Z3.
//
// A formula is about bit vectors, as the numbers of the IR are, and says less than the code: values
// that are loaded, that loops compute or that have a fraction may be anything. So an outcome whose
// formula no values make true is impossible, and values that make it true are worth a run.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/coverage/launch_numbers.h"
#include "analysis/coverage/passes/host_numbers.h"
#include "tasks/plan/program.h"

namespace msci {

class OutcomeFormulas {
 public:
  // The kernel must not change while this exists.
  OutcomeFormulas(llvm::Function& kernel, const KernelSignature& signature,
                  const std::vector<LaunchFact>& facts, const AllowedSizes& sizes);

  // Commands of SMT-LIB, after those that formulas share: the bit of the call is set where the
  // thread comes to the call.
  std::string formula_of(const llvm::CallInst& call);
  // What all formulas share: the commands that were made since this was called last.
  std::string take_shared() { return std::exchange(commands_, {}); }
  // The expression for a parameter of the size in each formula, to ask for its value.
  static std::string value_of(std::size_t parameter);
  // Further commands: the size is one that runs should have, its sides have at most that product,
  // and there are at most so many steps.
  std::string within(std::uint64_t volume, std::uint32_t steps) const;
  // Further commands: no side is 1.
  std::string without_sides_of_one() const;
  // Whether the bit of the call is about numbers of the launch or positions in it; and whether the
  // path to the call is.
  bool is_about_launch(const llvm::CallInst& call) { return is_sized(of(*call.getArgOperand(1))); }
  bool has_path_about_launch(const llvm::CallInst& call) {
    return is_sized(branches_to(*call.getParent()));
  }

 private:
  using Kind = LaunchNumber::Kind;

  std::string declare(const std::string& name, unsigned bits);
  void say(const std::string& command) { commands_ += command + "\n"; }
  void hold(const std::string& formula) { say("(assert " + formula + ")"); }
  std::string symbol_of(const LaunchNumber& number);
  void state(const LaunchFact& fact);
  void state_sizes(const AllowedSizes& sizes);

  // The expression of a value: of its bits, or of so many that may be anything.
  std::string of(const llvm::Value& value);
  std::string made(const llvm::Value& value);
  std::string of_instruction(const llvm::Instruction& instruction);
  std::string of_binary(const llvm::BinaryOperator& operation);
  std::string of_cast(const llvm::CastInst& cast);
  std::string of_call(const llvm::CallInst& call);
  std::string of_phi(const llvm::PHINode& phi);
  std::string of_loop_phi(const llvm::PHINode& phi);
  std::string of_position(llvm::StringRef name, unsigned dimension);
  std::string unknown(const llvm::Value& value);

  // What holds in each thread that comes to the block, by the branches before it and by what the
  // kernel may assume.
  std::string branches_to(const llvm::BasicBlock& block);
  std::string assumed_in(const llvm::BasicBlock& block);
  std::string edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  bool is_sized(std::string_view text) const;
  std::string sides_within(std::uint64_t volume) const;

  HostNumbers host_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::map<LaunchNumber, std::string> numbers_;
  std::map<const llvm::Value*, std::string> known_;
  std::set<const llvm::Value*> open_;  // those that are being made
  std::set<std::string> declared_;
  std::vector<const llvm::AssumeInst*> assumptions_;
  std::set<std::string, std::less<>> sized_;  // names of what depends on numbers of the launch
  std::string steps_, usual_;
  std::vector<std::string> sides_;
  std::string commands_;
  std::size_t next_ = 0;
};

}  // namespace msci
