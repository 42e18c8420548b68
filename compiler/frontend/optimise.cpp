#include "compiler/frontend/optimise.h"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <map>

#include "compiler/frontend/passes.h"

namespace msci {
namespace {

// The hint as an attribute that LLVM's unrolling does not know; none where the loop has no hint.
llvm::SmallVector<llvm::MDNode*, 1> ignored_hint(llvm::LLVMContext& context, llvm::MDNode& loop) {
  constexpr const char* count = "llvm.loop.unroll.count";
  std::uint64_t copies = 0;
  if (const auto* hint = llvm::findOptionMDForLoopID(&loop, count))
    copies = llvm::mdconst::extract<llvm::ConstantInt>(hint->getOperand(1))->getZExtValue();
  else if (!llvm::findOptionMDForLoopID(&loop, "llvm.loop.unroll.full") &&
           !llvm::findOptionMDForLoopID(&loop, "llvm.loop.unroll.enable"))
    return {};
  auto* value = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), copies);
  return {llvm::MDNode::get(context, {llvm::MDString::get(context, ignored_unroll_hint),
                                      llvm::ConstantAsMetadata::get(value)})};
}

// Drops the source's unroll hints except "do not unroll": following them makes texts of megabytes,
// which take drivers minutes. Drivers unroll where it pays.
void drop_unroll_hints(llvm::Module& ir) {
  auto& context = ir.getContext();
  for (auto& function : ir)
    for (auto& block : function) {
      auto* branch = block.getTerminator();
      auto* loop = branch->getMetadata(llvm::LLVMContext::MD_loop);
      if (!loop) continue;
      branch->setMetadata(
          llvm::LLVMContext::MD_loop,
          llvm::makePostTransformationMetadata(
              context, loop,
              {"llvm.loop.unroll.full", "llvm.loop.unroll.enable", "llvm.loop.unroll.count"},
              ignored_hint(context, *loop)));
    }
}

// A processor keeps an array in registers only where every index is known. Metal kernels rely on
// that for small arrays in short loops. Without a target LLVM does not unroll such loops from a
// certain length on.
class UnrollOverArrays : public llvm::PassInfoMixin<UnrollOverArrays> {
 public:
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater&) {
    const auto iterations = results.SE.getSmallConstantTripCount(&loop);
    if (iterations > 1 && iterations * size_of(loop) <= most_instructions && picks_elements(loop))
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

  // Whether it accesses elements of a private array that differ from iteration to iteration.
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

// Unrolled arithmetic on large numbers has functions of 100,000 instructions.
constexpr std::size_t large = 20'000;

// The instructions of a function once everything is inlined into it.
class InlinedSize {
 public:
  std::size_t of(const llvm::Function& function) {
    const auto [known, is_new] =
        sizes_.try_emplace(&function, 0);  // a recursive call counts nothing
    if (!is_new) return known->second;
    std::size_t size = 0;
    for (const auto& instruction : llvm::instructions(function)) {
      ++size;
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->getCalledFunction()) size += of(*call->getCalledFunction());
    }
    return sizes_[&function] = size;
  }

 private:
  std::map<const llvm::Function*, std::size_t> sizes_;
};

// Passes of O2 that are left out: VectorCombine, which without a target adds two elements of a
// vector as whole vectors; LoopIdiomRecognize, whose memmove() keeps a private array in memory and
// becomes a loop over bytes; and on large functions, whose compile time is mostly that, what O2
// repeats of InstCombine.
class Economy {
 public:
  bool wants(llvm::StringRef pass, const llvm::Any& ir) {
    if (pass == "VectorCombinePass" || pass == "LoopIdiomRecognizePass") return false;
    if (pass != "InstCombinePass") return true;
    const auto* const* function = llvm::any_cast<const llvm::Function*>(&ir);
    if (!function || (*function)->getInstructionCount() <= large) return true;
    return ++runs_[*function] <= most_runs;
  }

 private:
  static constexpr unsigned most_runs = 3;
  std::map<const llvm::Function*, unsigned> runs_;
};

}  // namespace

void simplify_before_inlining(llvm::Module& ir) {
  InlinedSize sizes;
  if (llvm::none_of(ir, [&](const llvm::Function& function) { return sizes.of(function) > large; }))
    return;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::InstCombinePass());
  run(ir, std::move(passes));
}

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

void optimise(llvm::Module& ir, UnrollHints hints) {
  if (hints != UnrollHints::follow) drop_unroll_hints(ir);
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = false;
  tuning.LoopUnrolling = hints != UnrollHints::forbid;
  llvm::PassBuilder builder(nullptr, tuning);
  if (hints != UnrollHints::forbid)
    builder.registerLateLoopOptimizationsEPCallback(
        [](llvm::LoopPassManager& passes, llvm::OptimizationLevel) {
          passes.addPass(UnrollOverArrays());
        });
  Economy economy;
  run(ir, builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2),
      [&](llvm::StringRef pass, const llvm::Any& ir) { return economy.wants(pass, ir); });
}

void simplify(llvm::Module& ir) {
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass());
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::ADCEPass());
  run(ir, std::move(passes));
}

}  // namespace msci
