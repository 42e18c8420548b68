#include <clang/AST/ASTContext.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <fmt/format.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <map>
#include <set>
#include <string>

#include "base/metal_limits.h"
#include "compiler/frontend/module.h"
#include "compiler/frontend/optimise.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"
#include "lint/analysis/expressions.h"
#include "lint/rule.h"

namespace msci {
namespace {

constexpr unsigned threadgroup_space = 3;  // in LLVM's IR

// The most bytes, where they hold, and whether every GPU has this limit.
struct Limit {
  std::uint64_t bytes = threadgroup_memory_limit;
  std::string_view gpu;  // of the target; empty for all GPUs
};

Limit limit_on(const Targets& targets) {
  Limit limit;
  for (const auto& gpu : targets.gpus)
    if (const auto bytes = row_of(gpu.family).threadgroup_bytes; bytes < limit.bytes)
      limit = {bytes, gpu.name};
  return limit;
}

// Of every instance: each has sizes of its own.
class ThreadgroupVariables : public clang::RecursiveASTVisitor<ThreadgroupVariables> {
 public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitVarDecl(clang::VarDecl* variable) {
    const auto type = variable->getType();
    // What a template declares is counted where it is instantiated.
    const auto* owner = variable->getParentFunctionOrMethod();
    if (variable->isStaticLocal() && space_of(type) == Space::threadgroup &&
        !type->isDependentType() && !type->isIncompleteType() &&
        !(owner && owner->isDependentContext()) && known_.insert(variable).second)
      found.push_back(variable);
    return true;
  }

  std::vector<const clang::VarDecl*> found;

 private:
  std::set<const clang::VarDecl*> known_;
};

std::vector<const clang::VarDecl*> threadgroup_variables(const Unit& unit) {
  ThreadgroupVariables variables;
  variables.TraverseAST(unit.ast());
  return std::move(variables.found);
}

std::uint64_t bytes_of(const clang::VarDecl& variable, const Unit& unit) {
  return static_cast<std::uint64_t>(
      unit.ast().getTypeSizeInChars(variable.getType()).getQuantity());
}

std::uint64_t bytes_after(std::uint64_t bytes, const clang::VarDecl& variable, const Unit& unit) {
  const auto alignment = unit.ast().getDeclAlign(&variable).getAsAlign();
  return llvm::alignTo(bytes, alignment) + bytes_of(variable, unit);
}

// The kernels whose variables, with those of functions that they may call, come to too much.
std::vector<Kernel> kernels_that_may_exceed(const Limit& limit,
                                            const std::vector<const clang::VarDecl*>& variables,
                                            const Unit& unit) {
  std::map<const clang::Decl*, std::uint64_t> bytes;  // by kernel
  for (const auto& kernel : unit.kernels()) bytes[kernel.declaration] = 0;
  std::uint64_t shared = 0;  // of functions other than kernels
  for (const auto* variable : variables) {
    const auto* owner = llvm::dyn_cast_or_null<clang::Decl>(variable->getParentFunctionOrMethod());
    const auto own = bytes.find(owner);
    auto& sum = own == bytes.end() ? shared : own->second;
    sum = bytes_after(sum, *variable, unit);
  }
  std::vector<Kernel> kernels;
  for (const auto& kernel : unit.kernels())
    if (bytes[kernel.declaration] + shared > limit.bytes) kernels.push_back(kernel);
  return kernels;
}

// The kernels of these names in another unit of the same source.
std::vector<Kernel> same_kernels(const std::vector<Kernel>& kernels, const Unit& unit) {
  std::set<std::string> names;
  for (const auto& kernel : kernels) names.insert(kernel.name);
  std::vector<Kernel> same;
  for (const auto& kernel : unit.kernels())
    if (names.contains(kernel.name)) same.push_back(kernel);
  return same;
}

using Blocks = std::set<const llvm::BasicBlock*>;

// What is not there to be read while compiling: a function constant, or what is made from one when
// the program is loaded. A threadgroup's memory is another matter.
bool is_function_constant(const llvm::Value& pointer) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer.stripPointerCasts());
  return variable && variable->getAddressSpace() != threadgroup_space &&
         (variable->isDeclaration() || !variable->isConstant());
}

bool asks_for_function_constant(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName() == "msci.function_constant.defined";
}

// Whether a value is known as soon as the host has given the function constants theirs.
bool hangs_on_function_constants(const llvm::Value& value) {
  llvm::SetVector<const llvm::Value*> parts;
  parts.insert(&value);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto* part = parts[i];
    if (llvm::isa<llvm::Constant>(part) || asks_for_function_constant(*part)) continue;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(part)) {
      if (!is_function_constant(*load->getPointerOperand())) return false;
    } else if (llvm::isa<llvm::CastInst, llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst,
                         llvm::SelectInst, llvm::FreezeInst, llvm::IntrinsicInst>(part)) {
      for (const auto& operand : llvm::cast<llvm::User>(part)->operands()) parts.insert(operand);
    } else {
      return false;
    }
  }
  return true;
}

// Whether function constants alone decide where a block ends up.
bool is_choice(const llvm::Instruction& terminator) {
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator))
    return branch->isConditional() && hangs_on_function_constants(*branch->getCondition());
  const auto* branch = llvm::dyn_cast<llvm::SwitchInst>(&terminator);
  return branch && hangs_on_function_constants(*branch->getCondition());
}

void collect_blocks(const llvm::Value& value, const llvm::Function& kernel, Blocks& blocks) {
  for (const auto& use : value.uses()) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!instruction)
      collect_blocks(*use.getUser(), kernel, blocks);
    else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
             phi && phi->getFunction() == &kernel)
      blocks.insert(phi->getIncomingBlock(use));
    else if (instruction->getFunction() == &kernel)
      blocks.insert(instruction->getParent());
  }
}

// Whether a kernel reaches one of these blocks whatever values its function constants have.
bool is_always_reached(Blocks blocks, const llvm::Function& kernel) {
  const auto leads_there = [&](const llvm::BasicBlock& block) {
    const auto next = llvm::successors(&block);
    const auto is_there = [&](const llvm::BasicBlock* each) { return blocks.contains(each); };
    return is_choice(*block.getTerminator()) ? llvm::all_of(next, is_there)
                                             : llvm::any_of(next, is_there);
  };
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto* block : llvm::post_order(&kernel))
      if (!blocks.contains(block) && leads_there(*block)) grew = blocks.insert(block).second;
  }
  return blocks.contains(&kernel.getEntryBlock());
}

// What one kernel needs of the memory that is left after optimisation.
struct Needs {
  std::uint64_t most = 0;
  std::uint64_t always = 0;  // whatever values the function constants have
};

Needs needs_of(const llvm::Function& kernel) {
  const auto& ir = *kernel.getParent();
  Needs needs;
  for (const auto& variable : ir.globals()) {
    if (variable.getAddressSpace() != threadgroup_space) continue;
    Blocks blocks;
    collect_blocks(variable, kernel, blocks);
    if (blocks.empty()) continue;
    const auto add_to = [&](std::uint64_t& bytes) {
      bytes = llvm::alignTo(bytes, variable.getAlign().valueOrOne()) +
              ir.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
    };
    add_to(needs.most);
    if (is_always_reached(std::move(blocks), kernel)) add_to(needs.always);
  }
  return needs;
}

void check_kernel(const Kernel& kernel, const llvm::Module& ir, const Unit& unit,
                  const std::vector<const clang::VarDecl*>& variables, Reporter& report) {
  const auto* function =
      ir.getFunction(clang::ASTNameGenerator(unit.ast()).getName(kernel.declaration));
  const auto needs = function ? needs_of(*function) : Needs{};
  const auto on_target = limit_on(report.contract().targets);
  // A target says no more than any GPU where the program is too large for all.
  const auto limit = needs.most > threadgroup_memory_limit ? Limit() : on_target;
  if (needs.most <= limit.bytes) return;
  const bool always = needs.always > limit.bytes;
  const auto size = fmt::format("threadgroup memory size ({})", needs.most);
  const auto most = fmt::format("the maximum threadgroup memory allowed ({}{}{})", limit.bytes,
                                limit.gpu.empty() ? "" : " on ", limit.gpu);
  auto draft =
      report(kernel.declaration->getLocation(),
             always ? fmt::format("{} exceeds {}", size, most)
                    : fmt::format("some function constants let the {} exceed {}", size, most));
  if (!always || !limit.gpu.empty()) draft.severity(Severity::warning);
  const auto& contract = report.contract();
  // Apple's compiler accepts it, and refuses to build its pipeline: no error where another kernel
  // may be meant, or another instance of this template.
  const bool is_asked_for = contract.kernels.empty()
                                ? !kernel.declaration->isTemplateInstantiation()
                                : contract.has_kernel(kernel.name);
  if (!is_asked_for) draft.severity(Severity::warning);
  for (const auto* variable : variables)
    if (variable->getParentFunctionOrMethod() == kernel.declaration)
      draft.note(variable->getLocation(), fmt::format("{} bytes", bytes_of(*variable, unit)));
}

}  // namespace

extern constinit const Rule threadgroup_memory{
    .severity = Severity::error,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto variables = threadgroup_variables(unit);
          const auto kernels =
              kernels_that_may_exceed(limit_on(report.contract().targets), variables, unit);
          if (kernels.empty()) return;
          // Only now it is worth the time to see what the optimiser leaves of these. Generating
          // code changes a unit, so another one is taken.
          auto copy = parse_again(unit);
          if (!copy) return;
          const auto copies = same_kernels(kernels, *copy);
          auto module = lower(*copy, copies, WithLocations::no);
          if (!module) return;
          inline_everything(module->ir());
          optimise(module->ir());
          for (const auto& kernel : kernels)
            check_kernel(kernel, module->ir(), unit, variables, report);
        },
};

}  // namespace msci
