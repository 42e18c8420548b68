#pragma once

#include <llvm/IR/PassManager.h>

namespace msci {

// Afterwards every vector is one that OpenCL C has, and so is what is done with it: a kernel that
// computes with vectors as wholes, in ways that OpenCL C can say, keeps them, for drivers of
// processors make vector instructions of them; in any other they are taken apart, and live in
// loads, stores, element accesses and bit casts only. A vector of bits is a mask: a vector of int
// whose elements are 0 or -1.
struct TakeVectorsApart : llvm::PassInfoMixin<TakeVectorsApart> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace msci
