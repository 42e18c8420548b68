#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "base/metal_limits.h"
#include "lint/analysis/expressions.h"
#include "lint/proofs/threadgroup_needs.h"
#include "lint/rule.h"

namespace msci {
namespace {

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

void check_kernel(const Kernel& kernel, const ThreadgroupNeeds& needs, const Unit& unit,
                  const std::vector<const clang::VarDecl*>& variables, Reporter& report) {
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
          const auto needs = threadgroup_needs(kernels, unit);
          for (std::size_t i = 0; i < needs.size(); ++i)
            check_kernel(kernels[i], needs[i], unit, variables, report);
        },
};

}  // namespace msci
