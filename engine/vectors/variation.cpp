#include <llvm/ADT/GenericUniformityInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>

#include <algorithm>
#include <set>

#include "compiler/convergence.h"
#include "compiler/ir/spaces.h"
#include "engine/vectors/specialise.h"
#include "engine/vectors/vectoriser.h"

namespace msci::engine {
namespace {

using llvm::InstructionUniformity;

// Combinations and votes of a whole simdgroup are the same in all lanes.
InstructionUniformity uniformity_of_lane_function(const llvm::CallInst& call,
                                                  llvm::StringRef name) {
  if (!name.consume_front("msci.simd.")) return InstructionUniformity::NeverUniform;
  if (name.starts_with("prefix_")) return InstructionUniformity::NeverUniform;
  const bool travels = name.starts_with("shuffle");
  if (!travels) return InstructionUniformity::AlwaysUniform;
  const bool from_one = name == "shuffle.u32" && llvm::isa<llvm::Constant>(call.getArgOperand(1));
  return from_one ? InstructionUniformity::AlwaysUniform : InstructionUniformity::NeverUniform;
}

class SimdgroupInfo : public llvm::TargetTransformInfoImplBase {
 public:
  explicit SimdgroupInfo(const llvm::DataLayout& layout) : TargetTransformInfoImplBase(layout) {}
  bool hasBranchDivergence(const llvm::Function*) const override { return true; }

  InstructionUniformity getInstructionUniformity(const llvm::Value* value) const override {
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
        call && call->getCalledFunction()) {
      const auto name = call->getCalledFunction()->getName();
      if (name == llvm::StringRef(lane_call) || name.starts_with(llvm::StringRef(local_call)))
        return InstructionUniformity::NeverUniform;
      if (name.starts_with("msci.simd.") || name.starts_with("msci.quad."))
        return uniformity_of_lane_function(*call, name);
    }
    if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value))
      return InstructionUniformity::NeverUniform;
    // Each lane has its own private memory, all of it in the same places.
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
        load && load->getPointerAddressSpace() == thread_space)
      return InstructionUniformity::NeverUniform;
    return InstructionUniformity::Default;
  }
};

}  // namespace

struct Variation::Analyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
};

Variation::Variation(llvm::Function& kernel) : analyses_(std::make_unique<Analyses>()) {
  auto& analyses = analyses_->functions;
  analyses.registerPass([] {
    return llvm::TargetIRAnalysis([](const llvm::Function& function) {
      return llvm::TargetTransformInfo(std::make_unique<SimdgroupInfo>(function.getDataLayout()));
    });
  });
  llvm::PassBuilder().registerFunctionAnalyses(analyses);
  uniformity_ = &analyses.getResult<llvm::UniformityInfoAnalysis>(kernel);
}

Variation::~Variation() = default;

bool Variation::differs(const llvm::Value& value) const {
  if (!llvm::isa<llvm::Instruction>(value)) return false;
  return uniformity_->isDivergent(&value);
}

bool Variation::parts(const llvm::BasicBlock& block) const {
  return uniformity_->hasDivergentTerminator(block);
}

BlockOrder::BlockOrder(llvm::Function& kernel, const Variation& variation)
    : blocks_(reconvergence_order(kernel)) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) indices_[blocks_[i]] = i;
  find_partial(kernel, variation);
  find_waiting(kernel, variation);
}

// What branches decide whose lanes part, and what the blocks found so decide.
void BlockOrder::find_partial(llvm::Function& kernel, const Variation& variation) {
  const llvm::PostDominatorTree after(kernel);
  partial_.assign(blocks_.size(), false);
  std::vector<const llvm::BasicBlock*> deciding;
  for (auto* block : blocks_)
    if (variation.parts(*block)) deciding.push_back(block);
  std::set<const llvm::BasicBlock*> seen(deciding.begin(), deciding.end());
  while (!deciding.empty()) {
    auto* branch = deciding.back();
    deciding.pop_back();
    if (branch->getTerminator()->getNumSuccessors() < 2) continue;
    const auto* node = after.getNode(branch);
    const auto* end = node ? node->getIDom() : nullptr;
    for (auto* successor : llvm::successors(branch))
      for (const auto* each = after.getNode(successor); each && each != end;
           each = each->getIDom()) {
        if (!each->getBlock()) break;
        partial_[index(*each->getBlock())] = true;
        if (seen.insert(each->getBlock()).second) deciding.push_back(each->getBlock());
      }
  }
}

void BlockOrder::find_waiting(llvm::Function& kernel, const Variation& variation) {
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  waiting_after_.resize(blocks_.size());
  for (std::size_t from = 0; from < blocks_.size(); ++from) {
    if (!partial_[from] && !variation.parts(*blocks_[from])) continue;
    for (auto* successor : llvm::successors(blocks_[from])) {
      const auto to = index(*successor);
      if (to <= from) continue;
      // Lanes may have left the loops around `from` in an earlier iteration. They then wait at `to`
      // while others run any block of the loops, or pass by `from` itself.
      const auto* loop = loops.getLoopFor(blocks_[from]);
      std::size_t first = from + 1;
      for (; loop && !loop->contains(successor); loop = loop->getParentLoop())
        first = std::min(first, index(*loop->getHeader()));
      for (std::size_t at = first; at < to; ++at) waiting_after_[at].push_back(to);
    }
  }
  for (auto& waiting : waiting_after_) {
    std::sort(waiting.begin(), waiting.end());
    waiting.erase(std::unique(waiting.begin(), waiting.end()), waiting.end());
  }
}

// The lanes of a loop come back to its head together: those that come by another way have gone on.
bool BlockOrder::may_join(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
  const auto at = index(to);
  const auto& waiting = waiting_after_[index(from)];
  if (index(from) < at) return std::binary_search(waiting.begin(), waiting.end(), at);
  const auto latches = std::count_if(
      blocks_.begin() + static_cast<std::ptrdiff_t>(at), blocks_.end(),
      [&](llvm::BasicBlock* each) { return llvm::is_contained(llvm::successors(each), &to); });
  return latches > 1;
}

}  // namespace msci::engine
