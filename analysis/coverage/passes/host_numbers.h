// Where the IR of a kernel reads the numbers that a host chooses for a launch.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <vector>

#include "analysis/coverage/launch_numbers.h"
#include "tasks/plan/program.h"

namespace msci {

class HostNumbers {
 public:
  HostNumbers(const llvm::Function& kernel, const KernelSignature& signature);

  // What a value of 32 bits, or an element of a vector of such values, is: a side of the grid or of
  // the threadgroups, or a word of an argument that is loaded. None for other values.
  std::optional<LaunchNumber> number_of(const llvm::Value& value, unsigned element = 0) const;

  // The parameter of the kernel that has a side of the grid or of the threadgroups.
  static llvm::Argument* side_of(llvm::Function& kernel, const LaunchNumber& number);
  // The first parameter of an argument; the second one is its offset.
  unsigned parameter_of(unsigned argument) const { return parameters_[argument]; }

 private:
  std::optional<LaunchNumber> word_at(const llvm::LoadInst& load, std::size_t byte) const;

  const llvm::Function& kernel_;
  std::vector<unsigned> parameters_;  // of each argument, its first one
};

}  // namespace msci
