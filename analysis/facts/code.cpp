#include "analysis/facts/code.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "analysis/facts/specialise_kernel.h"

namespace msci::prover {

Code::Code(llvm::Function& kernel, const KernelSignature& signature, const LaunchFacts& facts,
           const Translation& translation)
    : assumptions_(kernel),
      library_(kernel.getParent()->getTargetTriple()),
      functions_(library_),
      kernel(kernel),
      signature(signature),
      facts(facts),
      translation(translation),
      dominators(kernel),
      loops(dominators),
      post_dominators(kernel),
      evolution(kernel, functions_, assumptions_, dominators, loops),
      calls(calls_of(kernel)) {
  for (const auto* loop : loops.getLoopsInPreorder()) all_loops.push_back(loop);
  find_varying();
}

unsigned Code::line(unsigned location) const {
  return location < translation.places.size() ? translation.places[location].range.begin.line : 0;
}

// ---- objects

std::size_t Code::bytes_of(unsigned object) const {
  return object < facts.arguments.size() ? facts.arguments[object].bytes
                                         : signature.objects[object].bytes;
}

std::size_t Code::memory_of(unsigned object) const {
  constexpr std::size_t first_array = 1'000'000;  // behind all buffers of a plan
  return object < facts.arguments.size() ? facts.arguments[object].memory : first_array + object;
}

std::size_t Code::offset_of(unsigned object) const {
  return object < facts.arguments.size() ? facts.arguments[object].offset : 0;
}

bool Code::is_threadgroup(unsigned object) const {
  return object >= signature.arguments.size() ||
         signature.arguments[object].kind == ArgumentKind::threadgroup;
}

bool Code::is_written(unsigned object) const {
  if (signature.anywhere && signature.anywhere->written && !is_threadgroup(object)) return true;
  for (unsigned i = 0; i < signature.objects.size(); ++i)
    if (signature.objects[i].written && memory_of(i) == memory_of(object)) return true;
  return false;
}

namespace {

// Adds the constants that a value may be; false if it may be something else.
bool collect(const llvm::Value& value, std::set<unsigned>& constants,
             std::set<const llvm::Value*>& seen) {
  if (!seen.insert(&value).second) return true;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    constants.insert(static_cast<unsigned>(number->getZExtValue()));
    return true;
  }
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&value))
    return collect(*choice->getTrueValue(), constants, seen) &&
           collect(*choice->getFalseValue(), constants, seen);
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  return phi && std::all_of(phi->incoming_values().begin(), phi->incoming_values().end(),
                            [&](const llvm::Use& each) { return collect(*each, constants, seen); });
}

}  // namespace

std::optional<std::set<unsigned>> Code::objects_of(const llvm::Value& object) const {
  std::set<unsigned> objects;
  std::set<const llvm::Value*> seen;
  if (!collect(object, objects, seen)) return std::nullopt;
  for (const auto each : objects)
    if (each >= signature.objects.size()) return std::nullopt;
  return objects;
}

bool Code::may_be_in(const AccessCall& access, std::size_t memory) const {
  const auto objects = objects_of(*access.object);
  return !objects || std::any_of(objects->begin(), objects->end(),
                                 [&](unsigned object) { return memory_of(object) == memory; });
}

std::optional<unsigned> Code::object_of(const llvm::Value& pointer) const {
  const auto* base = &pointer;
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(base)) {
    // The offset of a checked access says which object it is in.
    for (const auto& index : step->indices())
      if (bounded_offset(*index)) {
        const auto objects = objects_of(*llvm::cast<llvm::CallInst>(*index).getArgOperand(3));
        if (objects && objects->size() == 1) return *objects->begin();
      }
    base = step->getPointerOperand();
  }
  unsigned parameter = 0;
  for (unsigned i = 0; i < signature.arguments.size(); ++i) {
    if (base == kernel.getArg(parameter)) return i;
    parameter += is_device_memory(signature.arguments[i].kind) ? 2 : 1;
  }
  return std::nullopt;
}

namespace {

bool adds_positive(const llvm::AtomicRMWInst& update) {
  const auto* added = llvm::dyn_cast<llvm::ConstantInt>(update.getValOperand());
  constexpr std::int64_t most = 1 << 16;  // so that no counter wraps around
  return update.getOperation() == llvm::AtomicRMWInst::Add && added && added->getSExtValue() > 0 &&
         added->getSExtValue() <= most;
}

}  // namespace

std::vector<const llvm::AtomicRMWInst*> Code::counters() const {
  std::vector<const llvm::AtomicRMWInst*> counters;
  std::set<std::size_t> others;  // memory that something else changes
  bool is_anything_changed = false;
  for (const auto& access : calls.accesses) {
    if (!access.writes || access.adds) continue;
    const auto objects = objects_of(*access.object);
    if (!objects) is_anything_changed = true;
    for (const auto object : objects.value_or(std::set<unsigned>()))
      others.insert(memory_of(object));
  }
  for (const auto& instruction : llvm::instructions(kernel)) {
    const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
    if (!update) continue;
    const auto object = object_of(*update->getPointerOperand());
    if (!object)
      is_anything_changed = true;
    else if (adds_positive(*update))
      counters.push_back(update);
    else
      others.insert(memory_of(*object));
  }
  std::erase_if(counters, [&](const llvm::AtomicRMWInst* each) {
    return is_anything_changed ||
           others.contains(memory_of(*object_of(*each->getPointerOperand())));
  });
  return counters;
}

// ---- what varies

// Whether threads get different values although all operands are the same.
bool Code::is_source(const llvm::Instruction& instruction) const {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    const auto object = object_of(*load->getPointerOperand());
    return !object || is_threadgroup(*object) || is_written(*object) || load->isAtomic();
  }
  if (const auto name = callee_of(instruction); !name.empty()) {
    if (name.starts_with(group_position) || name == size_of_launch) return false;
    if (bounded_offset(instruction)) return false;
    const auto& call = llvm::cast<llvm::CallInst>(instruction);
    return !(llvm::isa<llvm::IntrinsicInst>(call) && call.doesNotAccessMemory()) &&
           !(llvm::StringRef(name).starts_with("msci.math.") && call.doesNotAccessMemory());
  }
  return instruction.mayReadOrWriteMemory() || llvm::isa<llvm::AllocaInst>(instruction);
}

// Whether threads may come to a merge of paths by different ways. At the header of a loop the ways
// are its beginning and its iterations, which are the same; behind a loop, threads may come from
// different iterations.
bool Code::chooses_by_varying(const llvm::PHINode& phi) const {
  const auto* block = phi.getParent();
  if (loops.isLoopHeader(block)) return false;
  const auto parts = [&](const llvm::BasicBlock* each) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(each->getTerminator());
    return branch && branch->isConditional() && varying_.contains(branch->getCondition());
  };
  const auto* top = dominators.getNode(block)->getIDom()->getBlock();
  std::set<const llvm::BasicBlock*> seen;
  std::vector<const llvm::BasicBlock*> open(llvm::pred_begin(block), llvm::pred_end(block));
  while (!open.empty()) {
    const auto* each = open.back();
    open.pop_back();
    if (!seen.insert(each).second) continue;
    if (parts(each)) return true;
    if (each != top) open.insert(open.end(), llvm::pred_begin(each), llvm::pred_end(each));
  }
  return false;
}

void Code::find_varying() {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (const auto& instruction : llvm::instructions(kernel)) {
      if (varying_.contains(&instruction)) continue;
      const bool varies =
          is_source(instruction) ||
          std::any_of(instruction.operands().begin(), instruction.operands().end(),
                      [&](const llvm::Use& use) { return varying_.contains(use.get()); }) ||
          (llvm::isa<llvm::PHINode>(instruction) &&
           chooses_by_varying(llvm::cast<llvm::PHINode>(instruction)));
      if (!varies) continue;
      varying_.insert(&instruction);
      has_changed = true;
    }
  }
}

std::set<const llvm::BasicBlock*> Code::deciders(const llvm::BasicBlock& block) const {
  std::set<const llvm::BasicBlock*> all;
  std::vector<const llvm::BasicBlock*> open{&block};
  while (!open.empty()) {
    const auto* target = open.back();
    open.pop_back();
    for (const auto& branch : kernel) {
      if (branch.getTerminator()->getNumSuccessors() < 2 || all.contains(&branch)) continue;
      if (&branch != target && post_dominators.dominates(target, &branch)) continue;
      const bool decides = llvm::any_of(llvm::successors(&branch), [&](const auto* to) {
        return to == target || post_dominators.dominates(target, to);
      });
      if (!decides) continue;
      all.insert(&branch);
      open.push_back(&branch);
    }
  }
  return all;
}

}  // namespace msci::prover
