#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <algorithm>

#include "analysis/facts/check_calls.h"
#include "analysis/facts/specialise_kernel.h"
#include "compiler/frontend/passes.h"

namespace msci::prover {
namespace {

constexpr std::size_t most_iterations = 64, most_instructions = 6000;

bool waits(const llvm::Loop& loop) {
  for (const auto* block : loop.blocks())
    for (const auto& instruction : *block)
      if (callee_of(instruction).starts_with("msci.barrier.")) return true;
  return false;
}

bool counts_oddly(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  for (auto& phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy()) continue;
    const auto* sum = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&phi));
    if (!sum || !sum->isAffine()) return true;
  }
  return false;
}

std::size_t size_of(const llvm::Loop& loop) {
  std::size_t size = 0;
  for (const auto* block : loop.blocks()) size += block->size();
  return size;
}

// Whether loops in it have a number of iterations that only the outer counter says, as those of a
// bitonic sort.
bool has_open_loops(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  return std::any_of(loop.begin(), loop.end(), [&](const llvm::Loop* inner) {
    return evolution.getSmallConstantTripCount(inner) == 0;
  });
}

// Unrolls one loop that has none in it, or none with a known number of iterations; false if there
// is none to unroll.
bool unroll_one(llvm::Function& kernel) {
  llvm::DominatorTree dominators(kernel);
  llvm::LoopInfo loops(dominators);
  llvm::AssumptionCache assumptions(kernel);
  llvm::TargetLibraryInfoImpl library(kernel.getParent()->getTargetTriple());
  llvm::TargetLibraryInfo functions(library);
  llvm::ScalarEvolution evolution(kernel, functions, assumptions, dominators, loops);
  const llvm::TargetTransformInfo costs(kernel.getDataLayout());
  llvm::OptimizationRemarkEmitter remarks(&kernel);
  const auto in_preorder = loops.getLoopsInPreorder();
  for (auto* loop : llvm::reverse(in_preorder)) {
    const auto iterations = evolution.getSmallConstantTripCount(loop);
    const bool is_apart =
        loop->isInnermost() || (counts_oddly(*loop, evolution) && has_open_loops(*loop, evolution));
    const bool is_small = is_apart && iterations > 0 && iterations <= most_iterations &&
                          iterations * size_of(*loop) <= most_instructions;
    if (!is_small || !(waits(*loop) || counts_oddly(*loop, evolution))) continue;
    llvm::UnrollLoopOptions options{};
    options.Count = iterations;
    options.Force = true;
    options.ForgetAllSCEV = true;
    const auto done = llvm::UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions,
                                       &costs, &remarks, true);
    if (done == llvm::LoopUnrollResult::FullyUnrolled) return true;
  }
  return false;
}

}  // namespace

void normalise_loops(llvm::Function& kernel) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LowerSwitchPass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  run(*kernel.getParent(), std::move(passes));
}

bool unroll(llvm::Function& kernel) {
  constexpr unsigned most_loops = 32;
  unsigned unrolled = 0;
  for (normalise_loops(kernel); unrolled < most_loops && unroll_one(kernel); ++unrolled)
    normalise_loops(kernel);
  return unrolled > 0;
}

}  // namespace msci::prover
