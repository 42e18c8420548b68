// Whether the arithmetic behind an index wrapped around.
#pragma once

#include <map>

namespace llvm {
class Instruction;
class Value;
}  // namespace llvm

namespace msci {

// Follows indices of 32 bits through sums, differences and products. Unsigned arithmetic
// may be meant either way, `row * width + uint(-1)`: it wrapped only where no reading of its
// operands, as unsigned numbers all or as signed ones all, gives the result.
class Wrapping {
 public:
  // A value of one bit, defined before `access`, or null where no index can wrap.
  llvm::Value* of(llvm::Value* pointer, llvm::Instruction& access);

 private:
  // One bit for either reading; null where nothing can go wrong.
  struct Readings {
    llvm::Value* as_unsigned = nullptr;
    llvm::Value* as_signed = nullptr;
  };
  Readings readings(llvm::Value* index, unsigned depth);
  std::map<llvm::Value*, Readings> known_;
};

}  // namespace msci
