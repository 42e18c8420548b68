// Runs LLVM's passes. No other file sets up pass managers.
#pragma once

#include <llvm/ADT/Any.h>
#include <llvm/IR/PassManager.h>

#include <functional>

namespace msci {

// Says whether an optional pass ("InstCombinePass") runs on a module, function or loop.
using PassFilter = std::function<bool(llvm::StringRef pass, const llvm::Any& ir)>;

void run(llvm::Module& ir, llvm::ModulePassManager passes, const PassFilter& wants = {});
void run(llvm::Module& ir, llvm::FunctionPassManager passes);  // on every function

}  // namespace msci
