#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/analysis/expressions.h"
#include "lint/analysis/trace.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Whether the name says that the argument is a result: u_out, out_data, next.
bool is_named_as_output(const std::string& name) {
  const auto text = lower_case(name);
  const auto ends = [&](std::string_view word) { return text.ends_with(word); };
  return text == "out" || text == "output" || text == "result" || text == "results" ||
         text.starts_with("out_") || ends("_out") || ends("_next") || ends("_new") ||
         text == "next" || text == "dst";
}

// A const buffer of the same elements: what the kernel should start from.
bool has_input_like(const clang::VarDecl& output, const clang::FunctionDecl& kernel) {
  const auto elements = output.getType()->getPointeeType().getUnqualifiedType();
  return std::any_of(kernel.param_begin(), kernel.param_end(), [&](const auto* each) {
    return is_device_pointer(*each) && is_written_const(*each) &&
           each->getType()->getPointeeType().getCanonicalType().getUnqualifiedType() ==
               elements.getCanonicalType().getUnqualifiedType();
  });
}

// `out[k] += …`, where nothing on the right stands at the same index: the host has put a first
// value there. `u_out[i] += u_in[i]` should rather have begun with the input.
bool accumulates(const TracedAccess& access, const clang::ASTContext& ast) {
  if (!access.stores || !access.value) return false;
  const auto* target =
      llvm::dyn_cast<clang::ArraySubscriptExpr>(access.place->IgnoreParenImpCasts());
  const auto is_like_target = [&](const auto& self, const clang::Stmt* part) -> bool {
    if (!part) return false;
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(part);
    if (element && target && is_same(*element->getIdx(), *target->getIdx(), ast)) return true;
    return std::any_of(part->child_begin(), part->child_end(),
                       [&](const clang::Stmt* child) { return self(self, child); });
  };
  return !is_like_target(is_like_target, access.value);
}

// Whether the kernel's name says that it adds to what is there.
bool is_named_as_accumulation(const clang::FunctionDecl& kernel) {
  const auto name = lower_case(kernel.getNameAsString());
  return name.find("accum") != name.npos || name.find("in_place") != name.npos ||
         name.find("inplace") != name.npos;
}

// Whether a loop goes on to read what it stored before.
bool is_stored_in_loop(const TracedAccess& load, const Trace& trace) {
  return load.loops > 0 &&
         std::any_of(trace.accesses.begin(), trace.accesses.end(), [&](const TracedAccess& each) {
           return each.stores && each.object == load.object && each.loops > 0;
         });
}

}  // namespace

extern constinit const Rule stale_output{
    .severity = Severity::warning,
    .check_kernel =
        [](const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
          if (is_named_as_accumulation(kernel)) return;
          const auto& tracer = traced(kernel, unit);
          Variables met;
          for (const auto& access : tracer.whole().accesses) {
            const auto& output = *access.object;
            if (!is_device_pointer(output) || is_written_const(output)) continue;
            if (!met.insert(&output).second || !access.loads) continue;
            // The pointer itself, which an object or a function takes: what it reads is unknown.
            if (access.place->getType()->isPointerType()) continue;
            if (accumulates(access, unit.ast()) || is_stored_in_loop(access, tracer.whole()))
              continue;
            if (!is_named_as_output(output.getNameAsString()) || !has_input_like(output, kernel))
              continue;
            report(access.place->getSourceRange(),
                   fmt::format("this depends on the old contents of the output '{}'",
                               output.getNameAsString()))
                .note(output.getSourceRange(), "nothing has been stored to it yet");
          }
        },
};

}  // namespace msci
