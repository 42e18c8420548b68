// What an Apple GPU would execute for an instruction of LLVM IR.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>

#include <optional>

#include "analysis/profile/passes/matrix_products.h"
#include "tasks/plan/kernel_code.h"

namespace msci {

// How many instructions of which kind.
struct InstructionWork {
  WorkKind work = WorkKind::integer;
  unsigned count = 0;
};

// The elements of a vector; 1 of other types.
unsigned elements_of(const llvm::Type* type);

// Of one kernel, which must not change while this exists.
class KernelWork {
 public:
  explicit KernelWork(llvm::Function& kernel);

  // None for an instruction that costs nothing: one that another instruction does with its own
  // work (a product that is added, a comparison that is selected by, a part of a product of
  // matrices), or that all threads of the dispatch share, as an Apple GPU computes it once before
  // them.
  std::optional<InstructionWork> of(const llvm::Instruction& instruction) const;
  // Whether all threads of the dispatch have the same value, known before they start.
  bool is_shared(const llvm::Value& value) const;
  // Whether the instruction that uses it does its work: it needs no register of its own.
  bool is_folded(const llvm::Instruction& instruction) const;

 private:
  void find_shared(const llvm::Function& kernel);
  bool is_folded_address(const llvm::Instruction& address) const;

  llvm::DenseSet<const llvm::Value*> shared_;
  MatrixProducts products_;
};

}  // namespace msci
