#pragma once

#include <llvm/IR/PassManager.h>

namespace msci {

// Afterwards OpenCL C has every vector and every operation on it. A kernel that computes with whole
// vectors, in ways that OpenCL C can express, keeps them: drivers of CPUs make vector instructions
// of them. In other kernels vectors are taken apart, and remain in loads, stores, element accesses
// and bit casts only. A vector of bits is a mask: a vector of int whose elements are 0 or -1.
struct TakeVectorsApart : llvm::PassInfoMixin<TakeVectorsApart> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace msci
