#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

// What a result depends on: buffers to read, and real numbers. Sizes may be known otherwise.
bool is_input(const clang::ParmVarDecl& argument) {
  if (is_device_pointer(argument)) return is_written_const(argument);
  return is_shared_number(argument) && argument.getType()->getPointeeType()->isFloatingType();
}

bool mentions(const clang::Stmt* part, const clang::ParmVarDecl& argument) {
  if (!part) return false;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part);
  return (name && name->getDecl() == &argument) ||
         std::any_of(part->child_begin(), part->child_end(),
                     [&](const clang::Stmt* child) { return mentions(child, argument); });
}

// Whether the template that a kernel is an instance of names the argument: other instances read it.
bool is_named_in_template(const clang::FunctionDecl& kernel, const clang::ParmVarDecl& argument) {
  const auto* pattern = kernel.getTemplateInstantiationPattern();
  const auto index = argument.getFunctionScopeIndex();
  return pattern && index < pattern->getNumParams() &&
         mentions(pattern->getBody(), *pattern->getParamDecl(index));
}

// Whether the author says that the argument is not used, or lists it in a macro for many kernels.
bool is_known_unused(const clang::ParmVarDecl& argument, const Unit& unit) {
  const auto name = argument.getName().lower();
  return is_listed_by_macro(argument) || name.empty() ||
         argument.hasAttr<clang::UnusedAttr>() || name.find("unused") != name.npos ||
         name.find("reserved") != name.npos ||
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
            if (is_input(*argument) && !is_known_unused(*argument, unit) && !trace.read.contains(argument) &&
                !is_named_in_template(kernel, *argument))
              report(argument->getLocation(),
                     fmt::format("the result cannot depend on '{}': it is never read",
                                 argument->getNameAsString()));
        },
};

}  // namespace msci
