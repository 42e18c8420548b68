#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/metal_limits.h"
#include "lint/analysis/expressions.h"
#include "lint/analysis/trace.h"
#include "lint/analysis/trace/template_arguments.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Smaller numbers that a size is compared with ask whether there is enough, not too much.
constexpr double smallest_limit = 4;

// Arguments that some comparison with a number keeps in bounds, or may.
Variables limited(const Trace& trace) {
  Variables all;
  for (const auto& each : trace.comparisons)
    if (each.number >= smallest_limit)
      all.insert(each.other.sources.begin(), each.other.sources.end());
  return all;
}

const clang::ConstantArrayType* capacity_of(const clang::VarDecl& array, const Unit& unit) {
  if (llvm::isa<clang::ParmVarDecl>(array) || !array.isLocalVarDecl()) return nullptr;
  return unit.ast().getAsConstantArrayType(array.getType());
}

bool is_thread_position(const clang::VarDecl& variable, const Unit& unit) {
  if (!llvm::isa<clang::ParmVarDecl>(variable)) return false;
  const auto attributes = unit.attributes(variable);
  return std::any_of(attributes.begin(), attributes.end(),
                     [](const Attribute& each) { return each.name.starts_with("thread_"); });
}

// Whether `line[i]` or `line[padded(i)]` is a thread's own element, told by its position alone.
bool is_own_element(const clang::Expr& place, const Tracer& tracer, const Unit& unit) {
  const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place.IgnoreParenImpCasts());
  const auto* index = element ? element->getIdx()->IgnoreParenImpCasts() : nullptr;
  if (!index || !llvm::isa<clang::DeclRefExpr, clang::ExtVectorElementExpr, clang::CallExpr>(index))
    return false;
  const auto sources = tracer.origin(*index).sources;
  return !sources.empty() && std::all_of(sources.begin(), sources.end(), [&](const auto* each) {
    return is_thread_position(*each, unit);
  });
}

// Whether each thread has an element of its own in an array for the largest threadgroup: then it is
// the threadgroup that keeps the size small.
bool has_element_for_each(const Tracer& tracer, const Unit& unit) {
  const auto& accesses = tracer.whole().accesses;
  return std::any_of(accesses.begin(), accesses.end(), [&](const TracedAccess& access) {
    const auto* capacity = capacity_of(*access.object, unit);
    return capacity && capacity->getSize().getZExtValue() >= threadgroup_thread_limit &&
           space_of(access.object->getType()) == Space::threadgroup &&
           is_own_element(*access.place, tracer, unit);
  });
}

// The first of the arguments that an index grows with, and that nothing keeps small.
const clang::VarDecl* loose_size(const TracedAccess& access, const Variables& limits) {
  const auto& loose = access.index.unbounded;
  const auto size = std::find_if(loose.begin(), loose.end(), [&](const auto* each) {
    return llvm::isa<clang::ParmVarDecl>(each) && is_shared_number(*each) &&
           each->getType().getNonReferenceType()->isIntegerType() && !limits.contains(each);
  });
  return size == loose.end() ? nullptr : *size;
}

// Whether the host picks the array's length, as an argument of the kernel's template.
bool is_picked_by_host(const clang::VarDecl& array, const clang::FunctionDecl& kernel) {
  return kernel.isTemplateInstantiation() && array.getDeclContext() == &kernel &&
         has_length_set_by_template(array);
}

// One finding for each size, at the first array that it outgrows.
void check_fixed_capacity(const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
  const auto& tracer = traced(kernel, unit);
  const auto& trace = tracer.whole();
  if (!trace.complete) return;
  const auto limits = limited(trace);
  const bool bounded = has_element_for_each(tracer, unit);
  Variables said;
  for (const auto& access : trace.accesses) {
    const auto* capacity = capacity_of(*access.object, unit);
    const auto* size = capacity ? loose_size(access, limits) : nullptr;
    const bool shared = space_of(access.object->getType()) == Space::threadgroup;
    if (!size || (shared && bounded) || is_picked_by_host(*access.object, kernel) ||
        !said.insert(size).second)
      continue;
    report(access.object->getLocation(),
           fmt::format("'{}' has room for {}, but nothing limits '{}'",
                       access.object->getNameAsString(), capacity->getSize().getZExtValue(),
                       size->getNameAsString()))
        .note(access.place->getSourceRange(), "here the index grows with the argument");
  }
}

}  // namespace

extern constinit const Rule fixed_capacity{
    .severity = Severity::note,
    .check_kernel = check_fixed_capacity,
};

}  // namespace msci
