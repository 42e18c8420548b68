// Numbers that some instruction may not keep: 16 bits of a position, a byte of a step, and integers
// that become a float, which has 24 bits.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <functional>
#include <vector>

namespace msci {

struct LostDigits {
  llvm::Value* number;   // of integers, perhaps a vector of them
  llvm::Value* is_lost;  // a bit for each: whether it does not fit
  unsigned bits;         // that it has room in
  bool becomes_real;     // in the digits of a real number, which becomes an integer again
};

// The numbers among the operands of an instruction, or of those that it is made of, that it may not
// keep. New instructions are inserted before it. `counts`: whether a number is of interest.
std::vector<LostDigits> lost_digits_in(llvm::Instruction& instruction, llvm::IRBuilder<>& builder,
                                       const std::function<bool(const llvm::Value&)>& counts);

}  // namespace msci
