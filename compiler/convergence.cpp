#include "compiler/convergence.h"

#include <llvm/ADT/GenericUniformityInfo.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/ir/spaces.h"

namespace msci {
namespace {

const llvm::Function* callee_of(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  return call ? call->getCalledFunction() : nullptr;
}

bool is_lane_function(llvm::StringRef name) {
  return name.starts_with("msci.simd.") || name.starts_with("msci.quad.") ||
         name == "msci.barrier.simdgroup";
}

bool is_barrier(const llvm::Instruction& instruction) {
  const auto* callee = callee_of(instruction);
  return callee && callee->getName() == "msci.barrier.threadgroup";
}

// What differs between the threads of one threadgroup.
class ThreadgroupInfo : public llvm::TargetTransformInfoImplBase {
 public:
  explicit ThreadgroupInfo(const llvm::DataLayout& layout) : TargetTransformInfoImplBase(layout) {}
  bool hasBranchDivergence(const llvm::Function*) const override { return true; }
  llvm::InstructionUniformity getInstructionUniformity(const llvm::Value* value) const override {
    if (const auto* callee = callee_of(*value)) {
      const auto name = callee->getName();
      if (name == "get_global_id" || name == "get_local_id" || is_lane_function(name))
        return llvm::InstructionUniformity::NeverUniform;
    }
    if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::AllocaInst>(value))
      return llvm::InstructionUniformity::NeverUniform;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value))
      if (load->getPointerAddressSpace() == thread_space)
        return llvm::InstructionUniformity::NeverUniform;
    return llvm::InstructionUniformity::Default;
  }
};

void register_analyses(llvm::FunctionAnalysisManager& analyses) {
  analyses.registerPass([] {
    return llvm::TargetIRAnalysis([](const llvm::Function& function) {
      return llvm::TargetTransformInfo(std::make_unique<ThreadgroupInfo>(function.getDataLayout()));
    });
  });
  llvm::PassBuilder().registerFunctionAnalyses(analyses);
}

bool calls_lane_function(const llvm::Instruction& instruction) {
  const auto* callee = callee_of(instruction);
  return callee && is_lane_function(callee->getName());
}

bool waits(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    return calls_lane_function(instruction) || is_barrier(instruction);
  });
}

// Whether lanes may leave a loop by what an atomic operation returns: one around it, or the loop
// that the text has for a floating-point addition.
bool parts_lanes(const llvm::Instruction& instruction, const llvm::LoopInfo& loops) {
  const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  if (atomic && llvm::AtomicRMWInst::isFPOperation(atomic->getOperation())) return true;
  return instruction.isAtomic() && !instruction.use_empty() &&
         loops.getLoopFor(instruction.getParent());
}

// Whether an iteration can pass without a wait.
bool may_pass_without_waiting(const llvm::Loop& loop) {
  std::set<const llvm::BasicBlock*> seen;
  std::vector<const llvm::BasicBlock*> open{loop.getHeader()};
  while (!open.empty()) {
    const auto* block = open.back();
    open.pop_back();
    if (waits(*block)) continue;
    for (const auto* next : llvm::successors(block)) {
      if (next == loop.getHeader()) return true;
      if (loop.contains(next) && seen.insert(next).second) open.push_back(next);
    }
  }
  return false;
}

// Whether each iteration of the loop takes every thread through the same waits, once each.
bool waits_alike(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                 const llvm::DominatorTree& dominators) {
  return llvm::all_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
    return !waits(*block) ||
           (loops.getLoopFor(block) == &loop && dominators.dominates(block, loop.getLoopLatch()));
  });
}

// For each block the branches that decide whether it runs (its control dependences).
class ControlDependence {
 public:
  ControlDependence(llvm::Function& function, const llvm::PostDominatorTree& after) {
    for (auto& branch : function) {
      if (branch.getTerminator()->getNumSuccessors() < 2) continue;
      const auto* end = after.getNode(&branch) ? after.getNode(&branch)->getIDom() : nullptr;
      for (auto* next : llvm::successors(&branch))
        for (auto* node = after.getNode(next); node && node != end; node = node->getIDom())
          if (node->getBlock()) deciding_[node->getBlock()].insert(&branch);
    }
  }

  // Those that decide on the block, and those that decide on them.
  std::set<llvm::BasicBlock*> all_deciding(llvm::BasicBlock* block) const {
    std::set<llvm::BasicBlock*> all;
    std::vector<llvm::BasicBlock*> open{block};
    while (!open.empty()) {
      const auto found = deciding_.find(open.back());
      open.pop_back();
      if (found == deciding_.end()) continue;
      for (auto* branch : found->second)
        if (all.insert(branch).second) open.push_back(branch);
    }
    return all;
  }

 private:
  std::map<llvm::BasicBlock*, std::set<llvm::BasicBlock*>> deciding_;
};

// Whether `branch` leads into the loop or past it, to where the loop leads, too.
bool guards(llvm::BasicBlock& branch, const llvm::Loop& loop) {
  const auto* before = loop.getLoopPreheader();
  const auto* after = loop.getExitBlock();
  const auto* choice = llvm::dyn_cast<llvm::BranchInst>(branch.getTerminator());
  if (!before || !after || !choice || choice->isUnconditional()) return false;
  const auto leads = [&](unsigned successor, const llvm::BasicBlock* block) {
    const auto* next = choice->getSuccessor(successor);
    return next == block || (next->size() == 1 && next->getSingleSuccessor() == block);
  };
  return (leads(0, before) && leads(1, after)) || (leads(1, before) && leads(0, after));
}

// Whether the branch at the end of `branch` decides only how often a loop around `block` runs,
// before the first iteration or after each: PoCL 3.1 fails on loops that are left between barriers.
bool controls_loop_of(llvm::BasicBlock& block, llvm::BasicBlock& branch,
                      const llvm::LoopInfo& loops) {
  for (auto* loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop())
    if ((loop->isLoopExiting(&branch) && loop->isLoopLatch(&branch)) || guards(branch, *loop))
      return true;
  return false;
}

// Topological order of one loop's blocks (or the function's, for no loop), inner loops as one.
class LoopOrder {
 public:
  explicit LoopOrder(llvm::Function& function) : dominators_(function), loops_(dominators_) {
    visit_region(nullptr, &function.getEntryBlock());
  }
  std::vector<llvm::BasicBlock*> take() && { return std::move(order_); }

 private:
  // The loop directly inside of `region` that holds `block`; none where the block is the region's
  // own.
  llvm::Loop* inner(llvm::Loop* region, llvm::BasicBlock* block) const {
    auto* loop = loops_.getLoopFor(block);
    if (loop == region) return nullptr;
    while (loop->getParentLoop() != region) loop = loop->getParentLoop();
    return loop;
  }
  static bool holds(llvm::Loop* region, llvm::BasicBlock* block) {
    return !region || region->contains(block);
  }

  void visit_region(llvm::Loop* region, llvm::BasicBlock* header) {
    std::vector<llvm::BasicBlock*> finished;  // a loop by its header; the last first
    std::set<llvm::BasicBlock*> seen;
    struct Visit {
      llvm::BasicBlock* node;
      std::vector<llvm::BasicBlock*> next;
      std::size_t done = 0;
    };
    std::vector<Visit> path;  // a stack of its own: unrolled code has thousands of blocks in a row
    const auto enter = [&](llvm::BasicBlock* block) {
      auto* loop = inner(region, block);
      auto* node = loop ? loop->getHeader() : block;
      if (seen.insert(node).second) path.push_back({node, ways_out(loop, block)});
    };
    enter(header);
    while (!path.empty()) {
      auto& [node, next, done] = path.back();
      if (done == next.size()) {
        finished.push_back(node);
        path.pop_back();
        continue;
      }
      auto* block = next[done++];
      if (holds(region, block) && block != header) enter(block);
    }
    for (auto node = finished.rbegin(); node != finished.rend(); ++node) {
      if (auto* loop = inner(region, *node))
        visit_region(loop, *node);
      else
        order_.push_back(*node);
    }
  }

  static std::vector<llvm::BasicBlock*> ways_out(llvm::Loop* loop, llvm::BasicBlock* block) {
    if (!loop) return {llvm::succ_begin(block), llvm::succ_end(block)};
    llvm::SmallVector<llvm::BasicBlock*> exits;
    loop->getExitBlocks(exits);
    return {exits.begin(), exits.end()};
  }

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::vector<llvm::BasicBlock*> order_;
};

// The blocks that a way from `start` can reach without passing `end`.
std::set<const llvm::BasicBlock*> reached_before(const llvm::BasicBlock* start,
                                                 const llvm::BasicBlock* end) {
  std::set<const llvm::BasicBlock*> reached;
  std::vector<const llvm::BasicBlock*> next{start};
  while (!next.empty()) {
    const auto* block = next.back();
    next.pop_back();
    if (block == end || !reached.insert(block).second) continue;
    next.insert(next.end(), llvm::succ_begin(block), llvm::succ_end(block));
  }
  return reached;
}

// Whether threads that part at a branch can come to one lane function by different ways before the
// branch ends, which is where all ways from it lead. GPUs bring threads together at the end only,
// so they would carry out the function in turns. Optimisations make such branches where one
// condition decides another: with `a` known, a thread need not test `a || b`.
bool lanes_join_early(llvm::Function& kernel) {
  llvm::FunctionAnalysisManager analyses;
  register_analyses(analyses);
  auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(kernel);
  const auto& after = analyses.getResult<llvm::PostDominatorTreeAnalysis>(kernel);
  return llvm::any_of(kernel, [&](llvm::BasicBlock& branch) {
    if (!uniformity.hasDivergentTerminator(branch)) return false;
    const auto* node = after.getNode(&branch);
    const auto* end = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    std::set<const llvm::BasicBlock*> by_other_ways;
    std::set<const llvm::BasicBlock*> successors(llvm::succ_begin(&branch),
                                                 llvm::succ_end(&branch));
    return llvm::any_of(successors, [&](const llvm::BasicBlock* way) {
      const auto reached = reached_before(way, end);
      const bool joins = llvm::any_of(reached, [&](const llvm::BasicBlock* block) {
        return by_other_ways.contains(block) && llvm::any_of(*block, calls_lane_function);
      });
      by_other_ways.insert(reached.begin(), reached.end());
      return joins;
    });
  });
}

}  // namespace

bool uses_simdgroups(const llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), calls_lane_function);
}

bool needs_resumption(llvm::Function& kernel) {
  std::set<llvm::BasicBlock*> waiting;
  for (auto& instruction : llvm::instructions(kernel))
    if (is_barrier(instruction)) waiting.insert(instruction.getParent());
  if (waiting.empty()) return false;

  llvm::FunctionAnalysisManager analyses;
  register_analyses(analyses);
  auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(kernel);
  const auto& after = analyses.getResult<llvm::PostDominatorTreeAnalysis>(kernel);
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(kernel);
  const ControlDependence dependence(kernel, after);
  return llvm::any_of(waiting, [&](llvm::BasicBlock* block) {
    return llvm::any_of(dependence.all_deciding(block), [&](llvm::BasicBlock* branch) {
      return uniformity.hasDivergentTerminator(*branch) ||
             !controls_loop_of(*block, *branch, loops);
    });
  });
}

bool lanes_may_stay_apart(llvm::Function& kernel) {
  if (!uses_simdgroups(kernel)) return false;
  if (lanes_join_early(kernel)) return true;
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  const auto all = llvm::instructions(kernel);
  return llvm::any_of(all, [&](const llvm::Instruction& origin) {
    return parts_lanes(origin, loops) && llvm::any_of(all, [&](const llvm::Instruction& together) {
             return calls_lane_function(together) &&
                    llvm::isPotentiallyReachable(&origin, &together, nullptr, &dominators, &loops);
           });
  });
}

std::vector<llvm::BasicBlock*> diverging_loops(llvm::Function& kernel) {
  llvm::FunctionAnalysisManager analyses;
  register_analyses(analyses);
  auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(kernel);
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(kernel);
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(kernel);
  std::vector<llvm::BasicBlock*> latches;
  for (const auto* loop : loops.getLoopsInPreorder()) {
    auto* latch = loop->getLoopLatch();
    assert(latch && "loops have been simplified");
    const bool parts = llvm::any_of(loop->blocks(), [&](llvm::BasicBlock* block) {
      return block != latch && uniformity.hasDivergentTerminator(*block);
    });
    if (parts && !waits_alike(*loop, loops, dominators)) latches.push_back(latch);
  }
  return latches;
}

std::set<BackEdge> back_edges_beside_waits(llvm::Function& kernel) {
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  std::set<BackEdge> edges;
  for (const auto* loop : loops.getLoopsInPreorder()) {
    const bool may_wait =
        llvm::any_of(loop->blocks(), [](const llvm::BasicBlock* block) { return waits(*block); });
    if (!may_wait || !may_pass_without_waiting(*loop)) continue;
    llvm::SmallVector<llvm::BasicBlock*> latches;
    loop->getLoopLatches(latches);
    for (const auto* latch : latches) edges.emplace(latch, loop->getHeader());
  }
  return edges;
}

std::vector<llvm::BasicBlock*> reconvergence_order(llvm::Function& kernel) {
  return LoopOrder(kernel).take();
}

}  // namespace msci
