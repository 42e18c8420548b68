#include "lint/metal/optimise.h"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
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

// A processor keeps an array in registers only where every index is known. Metal kernels count on
// it for the small arrays that they go through in short loops; LLVM, without a machine to ask,
// unrolls no loop of some length for that.
class UnrollOverArrays : public llvm::PassInfoMixin<UnrollOverArrays> {
 public:
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater&) {
    const auto rounds = results.SE.getSmallConstantTripCount(&loop);
    if (rounds > 1 && rounds * size_of(loop) <= most_instructions && picks_elements(loop))
      llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
    return llvm::PreservedAnalyses::all();
  }

 private:
  static constexpr std::size_t most_instructions = 2000;

  static std::size_t size_of(const llvm::Loop& loop) {
    std::size_t count = 0;
    for (const auto* block : loop.blocks()) count += block->size();
    return count;
  }

  // Whether it takes elements of a thread's own array that differ from round to round.
  static bool picks_elements(const llvm::Loop& loop) {
    for (const auto* block : loop.blocks())
      for (const auto& instruction : *block) {
        const auto* address = llvm::getLoadStorePointerOperand(&instruction);
        if (address && !loop.isLoopInvariant(address) &&
            llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address)))
          return true;
      }
    return false;
  }
};

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
  builder.registerLateLoopOptimizationsEPCallback(
      [](llvm::LoopPassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(UnrollOverArrays());
      });
  // Without a machine to ask, VectorCombine adds two elements of a vector as whole vectors.
  run(ir, builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2),
      {"VectorCombinePass"});
}

}  // namespace msci
