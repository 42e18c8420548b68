#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/expressions.h"
#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

// What a result depends on: buffers to read, and real numbers. Sizes may be known otherwise.
bool is_input(const clang::ParmVarDecl& argument) {
  const auto type = argument.getType();
  if (type->isReferenceType() && type->getPointeeType()->isIntegerType()) return false;
  if (is_device_pointer(argument)) return is_written_const(argument);
  return is_shared_number(argument) && type->getPointeeType()->isFloatingType();
}

// Whether the template that a kernel is an instance of names the argument: other instances read it.
bool is_named_in_template(const clang::FunctionDecl& kernel, const clang::ParmVarDecl& argument) {
  const auto* pattern = kernel.getTemplateInstantiationPattern();
  const auto index = argument.getFunctionScopeIndex();
  return pattern && index < pattern->getNumParams() &&
         mentions(pattern->getBody(), *pattern->getParamDecl(index));
}

// The function as it is written: of an instance, its template.
const clang::FunctionDecl& as_written(const clang::FunctionDecl& kernel) {
  const auto* pattern = kernel.getTemplateInstantiationPattern();
  return pattern ? *pattern : kernel;
}

bool have_equal_arguments(const clang::FunctionDecl& a, const clang::FunctionDecl& b) {
  return std::equal(a.param_begin(), a.param_end(), b.param_begin(), b.param_end(),
                    [](const clang::ParmVarDecl* one, const clang::ParmVarDecl* other) {
                      return one->getName() == other->getName() &&
                             one->getType().getAsString() == other->getType().getAsString();
                    });
}

// Whether a kernel with the same arguments reads this one: the host binds all of them alike.
bool is_read_in_family(const clang::FunctionDecl& kernel, const clang::ParmVarDecl& argument,
                       const Unit& unit) {
  const auto& own = as_written(kernel);
  return std::any_of(unit.kernels().begin(), unit.kernels().end(), [&](const Kernel& each) {
    const auto& other = as_written(*each.declaration);
    return &other != &own && have_equal_arguments(own, other) &&
           mentions(other.getBody(), *other.getParamDecl(argument.getFunctionScopeIndex()));
  });
}

// Whether a part that a macro switches off reads the argument: another build reads it.
bool is_read_in_other_build(const clang::Stmt* part, const clang::ParmVarDecl& argument,
                            const clang::ASTContext& ast) {
  if (!part) return false;
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(part)) {
    const auto* condition = branch->getCond();
    if (condition->getBeginLoc().isMacroID() && !condition->isValueDependent() &&
        constant_of(condition, ast) == 0 && mentions(branch->getThen(), argument))
      return true;
  }
  return std::any_of(part->child_begin(), part->child_end(), [&](const clang::Stmt* child) {
    return is_read_in_other_build(child, argument, ast);
  });
}

// Whether the author says that the argument is not used, or lists it in a macro for many kernels.
bool is_known_unused(const clang::ParmVarDecl& argument, const Unit& unit) {
  const auto name = argument.getName().lower();
  return is_listed_by_macro(argument) || name.empty() || argument.hasAttr<clang::UnusedAttr>() ||
         name.find("unused") != name.npos || name.find("reserved") != name.npos ||
         unit.attribute(argument, "function_constant").has_value();
}

}  // namespace

extern constinit const Rule input_ignored{
    .severity = Severity::warning,
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          if (is_placeholder(kernel)) return;
          const auto& tracer = traced(kernel, unit);
          const auto& trace = tracer.whole();
          if (!trace.complete) return;
          for (const auto* argument : kernel.parameters())
            if (is_input(*argument) && !is_known_unused(*argument, unit) &&
                !trace.read.contains(argument) && !is_named_in_template(kernel, *argument) &&
                !is_read_in_family(kernel, *argument, unit) &&
                !is_read_in_other_build(kernel.getBody(), *argument, unit.ast()))
              report(argument->getLocation(),
                     fmt::format("the result cannot depend on '{}': it is never read",
                                 argument->getNameAsString()));
        },
};

}  // namespace msci
