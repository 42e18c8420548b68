#pragma once

#include <llvm/IR/PassManager.h>

namespace msci {

// Afterwards no integer has more than 64 bits. LLVM forms wider ones: a hand-written 64×64-bit
// multiplication becomes a multiplication of i128, copies of small structures become loads of i96.
// A wide integer becomes words of 64 bits, the least significant first; unused bits of the last
// word are zero. A function that uses one in a way that has no expansion here (as a floating-point
// number, an atomic, an element of a vector) stays as it is.
struct ExpandWideIntegers : llvm::PassInfoMixin<ExpandWideIntegers> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace msci
