#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/rule.h"
#include "lint/trace.h"

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

// The first of the arguments that an index grows with, and that nothing keeps small.
const clang::VarDecl* loose_size(const Access& access, const Variables& limits) {
  const auto& loose = access.index.unbounded;
  const auto size = std::find_if(loose.begin(), loose.end(), [&](const auto* each) {
    return llvm::isa<clang::ParmVarDecl>(each) && is_shared_number(*each) &&
           each->getType().getNonReferenceType()->isIntegerType() && !limits.contains(each);
  });
  return size == loose.end() ? nullptr : *size;
}

// One finding for each size, at the first array that it outgrows.
void check_kernel(const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
  const Tracer tracer(unit, kernel);
  const auto& trace = tracer.whole();
  if (!trace.complete) return;
  const auto limits = limited(trace);
  Variables said;
  for (const auto& access : trace.accesses) {
    const auto* capacity = capacity_of(*access.object, unit);
    const auto* size = capacity ? loose_size(access, limits) : nullptr;
    if (!size || !said.insert(size).second) continue;
    report(access.object->getLocation(),
           fmt::format("'{}' has room for {}, and nothing keeps '{}' that small",
                       access.object->getNameAsString(), capacity->getSize().getZExtValue(),
                       size->getNameAsString()))
        .note(access.place->getSourceRange(), "here the index grows with the argument");
  }
}

}  // namespace

extern constinit const Rule fixed_capacity{
    .severity = Severity::note,
    .check =
        [](const Unit& unit, Reporter& report) {
          for (const auto& kernel : unit.kernels()) check_kernel(*kernel.declaration, unit, report);
        },
};

}  // namespace msci
