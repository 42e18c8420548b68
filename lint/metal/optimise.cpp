#include "lint/metal/optimise.h"

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "lint/metal/passes.h"

namespace msci {
namespace {

// Drops what a source says of unrolling but "not at all": taken at its word it makes texts of
// megabytes, over which drivers sit for minutes. They unroll for themselves what is worth it.
void forget_unrolling(llvm::Module& ir) {
  for (auto& function : ir)
    for (auto& block : function) {
      auto* branch = block.getTerminator();
      auto* loop = branch->getMetadata(llvm::LLVMContext::MD_loop);
      if (!loop) continue;
      branch->setMetadata(
          llvm::LLVMContext::MD_loop,
          llvm::makePostTransformationMetadata(
              ir.getContext(), loop,
              {"llvm.loop.unroll.full", "llvm.loop.unroll.enable", "llvm.loop.unroll.count"}, {}));
    }
}

}  // namespace

void inline_everything(llvm::Module& ir) {
  for (auto& function : ir) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    if (function.hasInternalLinkage()) function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::GlobalDCEPass());
  run(ir, std::move(passes));
}

void optimise(llvm::Module& ir) {
  forget_unrolling(ir);
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = false;
  llvm::PassBuilder builder(nullptr, tuning);
  // Without a machine to ask, VectorCombine adds two elements of a vector as whole vectors.
  run(ir, builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2),
      {"VectorCombinePass"});
}

}  // namespace msci
