// Describes a condition of a kernel's IR in words of its source: by arguments, positions and
// memory.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

#include <functional>
#include <string>
#include <vector>

#include "tasks/plan/program.h"

namespace msci {

// Of one kernel, which must not change while this exists.
class ConditionWords {
 public:
  ConditionWords(const llvm::Function& kernel, const KernelSignature& signature);

  // "NX - 1", "u_in[...]"; "..." for what is too long to say.
  std::string of(const llvm::Value& value, unsigned depth = most_depth) const;
  // A bit and its opposite: "NX > 600", and "NX <= 600".
  std::string of_bit(const llvm::Value& bit, bool is_true, unsigned depth = most_depth) const;
  // Of a pointer to the beginning of memory: "u_in", or "memory" for what has no name.
  std::string of_memory(const llvm::Value& pointer) const;

  // Whether the value depends on the contents of memory beside the values of arguments.
  bool is_of_data(const llvm::Value& value) const { return of_data_.contains(&value); }
  // Whether it depends on the position of a thread, or on other threads of its simdgroup.
  bool is_of_threads(const llvm::Value& value) const { return of_threads_.contains(&value); }
  // The numbers that a condition compares with, each once; where both sides are computed, those in
  // their expressions, or in that of the one side that is not of data.
  std::vector<double> constants_in(const llvm::Value& value) const;

 private:
  static constexpr unsigned most_depth = 4;

  // The instructions for which that holds, and those that use them.
  static llvm::DenseSet<const llvm::Value*> spread(
      const llvm::Function& kernel, const std::function<bool(const llvm::Instruction&)>& begins);
  const llvm::Value* bound_in(const llvm::Value& value) const;
  const KernelArgument* argument_behind(const llvm::Value& pointer) const;
  std::string of_load(const llvm::LoadInst& load) const;
  std::string of_call(const llvm::CallInst& call, unsigned depth) const;
  std::string of_parameter(const llvm::Argument& parameter) const;
  std::string of_compare(const llvm::CmpInst& compare, bool is_true, unsigned depth) const;

  std::vector<const KernelArgument*> of_parameters_;  // by number; null for those of the grid
  llvm::DenseSet<const llvm::Value*> of_data_, of_threads_;
};

// The constant table at program scope that a load reads; null for other memory.
const llvm::GlobalVariable* table_of(const llvm::LoadInst& load);

// Whether a load reads the value of an argument, as behind `constant uint&`, and no other memory.
bool reads_argument(const llvm::LoadInst& load);

// Whether a call only computes with its operands: an intrinsic of LLVM, or a function of Metal's
// library.
bool is_function_of_operands(const llvm::CallInst& call);
// Whether an instruction asks for the position of a thread, or for what other threads of its
// simdgroup have: any other call of a known function.
bool asks_for_threads(const llvm::Instruction& instruction);

}  // namespace msci
