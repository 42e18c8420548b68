#include <clang/AST/ASTContext.h>
#include <clang/AST/Mangle.h>
#include <fmt/format.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "lint/matchers.h"
#include "lint/metal/module.h"
#include "lint/metal/optimise.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// The most bytes that one threadgroup may use.
constexpr std::uint64_t limit = 32768;
constexpr unsigned threadgroup_space = 3;  // in LLVM's IR

std::vector<const clang::VarDecl*> threadgroup_variables(const Unit& unit) {
  const auto declarations = varDecl(isStaticLocal()).bind("variable");
  std::vector<const clang::VarDecl*> variables;
  for (const auto& found : match(declarations, unit)) {
    const auto& variable = *found.getNodeAs<clang::VarDecl>("variable");
    const auto type = variable.getType();
    if (space_of(type) == Space::threadgroup && !type->isDependentType() &&
        !type->isIncompleteType())
      variables.push_back(&variable);
  }
  return variables;
}

std::uint64_t bytes_of(const clang::VarDecl& variable, const Unit& unit) {
  return static_cast<std::uint64_t>(
      unit.ast().getTypeSizeInChars(variable.getType()).getQuantity());
}

bool is_used_in(const llvm::Value& value, const llvm::Function& function) {
  return std::any_of(value.user_begin(), value.user_end(), [&](const llvm::User* user) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      return instruction->getFunction() == &function;
    return is_used_in(*user, function);
  });
}

// What one kernel needs of the memory that is left after optimisation.
std::uint64_t bytes_used(const llvm::Function& kernel) {
  const auto& ir = *kernel.getParent();
  std::uint64_t bytes = 0;
  for (const auto& variable : ir.globals())
    if (variable.getAddressSpace() == threadgroup_space && is_used_in(variable, kernel))
      bytes = llvm::alignTo(bytes, variable.getAlign().valueOrOne()) +
              ir.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
  return bytes;
}

void check_kernel(const Kernel& kernel, const llvm::Module& ir, const Unit& unit,
                  const std::vector<const clang::VarDecl*>& variables, Reporter& report) {
  const auto* function =
      ir.getFunction(clang::ASTNameGenerator(unit.ast()).getName(kernel.declaration));
  const auto bytes = function ? bytes_used(*function) : 0;
  if (bytes <= limit) return;
  auto draft = report(kernel.declaration->getLocation(),
                      fmt::format("threadgroup memory size ({}) exceeds the maximum threadgroup "
                                  "memory allowed ({})",
                                  bytes, limit));
  const auto& wanted = report.expectation().kernels;
  // A pipeline that nobody builds is refused to nobody.
  if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), kernel.name) == wanted.end())
    draft.severity(Severity::warning);
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
          std::uint64_t most = 0;
          for (const auto* variable : variables) most += bytes_of(*variable, unit);
          if (most <= limit) return;
          // Only now it is worth the time to see what the optimiser leaves. Generating code changes
          // a unit, so another one is taken.
          auto copy = parse(unit.source(), unit.version());
          if (!copy) return;
          auto module = lower(*copy);
          if (!module) return;
          inline_everything(module->ir());
          optimise(module->ir());
          for (const auto& kernel : unit.kernels())
            check_kernel(kernel, module->ir(), unit, variables, report);
        },
};

}  // namespace msci
