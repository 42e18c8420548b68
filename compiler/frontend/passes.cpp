#include "compiler/frontend/passes.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Passes/PassBuilder.h>

namespace msci {

void run(llvm::Module& ir, llvm::ModulePassManager passes, const PassFilter& wants) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  if (wants) callbacks.registerShouldRunOptionalPassCallback(wants);
  llvm::PassBuilder builder(nullptr, {}, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  passes.run(ir, modules);
}

void run(llvm::Module& ir, llvm::FunctionPassManager passes) {
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  run(ir, std::move(all));
}

}  // namespace msci
