#include <clang/AST/ASTContext.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/metal_limits.h"
#include "compiler/frontend/attributes.h"
#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/thread_flow.h"
#include "lint/rule.h"
#include "lint/target/targets.h"

namespace msci {
namespace {

constexpr std::int64_t log_of_lanes = 5;
static_assert(simdgroup_lanes == 1 << log_of_lanes);

// The GPU of the target whose simdgroups may have another number of threads.
const GpuTarget* gpu_of_other_width(const Targets& targets) {
  const auto found = std::ranges::find_if(
      targets.gpus, [](const GpuTarget& gpu) { return row_of(gpu.family).simd_widths != "32"; });
  return found == targets.gpus.end() ? nullptr : &*found;
}

// Whether an operation splits a number by 32: `i / 32`, `i % 32`, `i >> 5`, `i & 31`.
bool splits_by_lanes(const clang::BinaryOperator& operation, const clang::ASTContext& ast) {
  const auto by = constant_of(operation.getRHS(), ast);
  if (!by) return false;
  switch (operation.getOpcode()) {
    case clang::BO_Div:
    case clang::BO_Rem:
      return *by == simdgroup_lanes;
    case clang::BO_Shr:
      return *by == log_of_lanes;
    case clang::BO_And:
      return *by == simdgroup_lanes - 1;
    default:
      return false;
  }
}

// Whether an expression is the thread's number in its threadgroup, or a part of its position there.
bool is_thread_number(const clang::Expr& value, const Unit& unit) {
  const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(root_variable(&value));
  if (!parameter) return false;
  return std::ranges::any_of(unit.attributes(*parameter), [](const Attribute& attribute) {
    const auto* known = metal_attribute(attribute.name);
    return known && known->numbers == Position::in_threadgroup;
  });
}

bool uses_simdgroups(const ThreadFlow& flow) {
  return std::ranges::any_of(flow.calls(), [&](const clang::CallExpr* call) {
    return metal_function(*call, flow.unit()).starts_with("simd_");
  });
}

class Splits : public clang::DynamicRecursiveASTVisitor {
 public:
  Splits(const Unit& unit, const GpuTarget& gpu, Reporter& report)
      : unit_(unit), gpu_(gpu), report_(report) {}

  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    if (splits_by_lanes(*operation, unit_.ast()) && is_thread_number(*operation->getLHS(), unit_))
      report_(operation->getSourceRange(),
              fmt::format("this takes a simdgroup for 32 threads, and on {} it may have 64; use "
                          "[[thread_index_in_simdgroup]], [[simdgroup_index_in_threadgroup]] or "
                          "[[threads_per_simdgroup]]",
                          gpu_.name));
    return true;
  }

 private:
  const Unit& unit_;
  const GpuTarget& gpu_;
  Reporter& report_;
};

}  // namespace

extern constinit const Rule simd_width{
    .check_flow =
        [](const ThreadFlow& flow, Reporter& report) {
          const auto* gpu = gpu_of_other_width(report.contract().targets);
          if (gpu && uses_simdgroups(flow))
            Splits(flow.unit(), *gpu, report).TraverseStmt(flow.function().getBody());
        },
};

}  // namespace msci
