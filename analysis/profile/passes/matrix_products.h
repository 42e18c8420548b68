// Products of 8×8 matrices in a kernel. Metal's header spells them out as shuffles and sums,
// whereas Apple's GPUs have one instruction for each.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>

namespace msci {

// Of one kernel with debug locations, which must not change while this exists.
class MatrixProducts {
 public:
  explicit MatrixProducts(llvm::Function& kernel);

  // Whether the instruction is a part of a product.
  static bool contains(const llvm::Instruction& instruction);
  // Whether it stands for one whole product.
  bool ends_with(const llvm::Instruction& instruction) const {
    return ends_.contains(&instruction);
  }

 private:
  llvm::DenseSet<const llvm::Instruction*> ends_;
};

// Whether it loads or stores an element for simdgroup_load or simdgroup_store.
bool moves_matrix(const llvm::Instruction& instruction);

}  // namespace msci
