#include "analysis/check/passes/places.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "analysis/check/passes/calls.h"

namespace msci {
namespace {

void mark_barriers(llvm::Function& kernel, SourceLocations& locations) {
  auto& context = kernel.getContext();
  for (auto& instruction : llvm::instructions(kernel)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const auto* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !callee->getName().starts_with("msci.barrier.")) continue;
    auto* number =
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), locations.number_marked(*call));
    call->setMetadata(place_metadata,
                      llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
  }
}

void mark_loops(llvm::Function& kernel, SourceLocations& locations) {
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  for (auto* loop : loops.getLoopsInPreorder()) {
    llvm::IRBuilder<> builder(&*loop->getHeader()->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(loop->getStartLoc());
    call_loop(builder, locations);
  }
}

}  // namespace

void mark_places(llvm::Module& ir, SourceLocations& locations) {
  for (auto& function : ir) {
    if (function.isDeclaration()) continue;
    mark_barriers(function, locations);
    mark_loops(function, locations);
  }
  llvm::StripDebugInfo(ir);
}

}  // namespace msci
