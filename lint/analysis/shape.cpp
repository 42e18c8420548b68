#include "lint/analysis/shape.h"

#include <algorithm>

#include "base/metal_limits.h"

namespace msci {
namespace {

constexpr std::int64_t lanes = simdgroup_lanes;
constexpr int most_definitions = 12;

// What an expression stands for: variables that only ever hold one value are looked through.
const clang::Expr* meaning(const clang::Expr* value, const ThreadFlow& flow) {
  value = value->IgnoreParenCasts();
  for (int i = 0; i < most_definitions; ++i) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value);
    const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    const auto* only = variable ? flow.only_value(variable) : nullptr;
    if (!only) break;
    value = only->IgnoreParenCasts();
  }
  return value;
}

// A scalar argument, or one component of a vector.
struct Part {
  const clang::ParmVarDecl* argument = nullptr;
  std::string component;
};

std::optional<Part> part_of(const clang::Expr* value, const ThreadFlow& flow) {
  value = meaning(value, flow);
  Part part;
  if (const auto* element = llvm::dyn_cast<clang::ExtVectorElementExpr>(value)) {
    part.component = element->getAccessor().getName().str();
    value = meaning(element->getBase(), flow);
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value);
  part.argument = name ? llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl()) : nullptr;
  if (!part.argument || !flow.is_fixed(part.argument) ||
      part.argument->getType()->isVectorType() != (part.component.size() == 1))
    return std::nullopt;
  return part;
}

std::optional<Part> part_at(const clang::Expr* value, Position position, const ThreadFlow& flow) {
  auto part = part_of(value, flow);
  return part && flow.position(part->argument) == position ? part : std::nullopt;
}

std::optional<Part> part_with(const clang::Expr* value,
                              std::initializer_list<std::string_view> attributes,
                              const ThreadFlow& flow) {
  auto part = part_of(value, flow);
  const bool is_it = part && std::any_of(attributes.begin(), attributes.end(), [&](auto name) {
                       return flow.unit().attribute(*part->argument, name).has_value();
                     });
  return is_it ? part : std::nullopt;
}

std::optional<Part> threadgroup_size(const clang::Expr* value, const ThreadFlow& flow) {
  return part_with(value, {"threads_per_threadgroup", "dispatch_threads_per_threadgroup"}, flow);
}

bool is_simdgroup_size(const clang::Expr* value, const ThreadFlow& flow) {
  return part_with(value, {"threads_per_simdgroup", "thread_execution_width"}, flow).has_value();
}

const clang::BinaryOperator* operation_of(const clang::Expr* value, clang::BinaryOperatorKind kind,
                                          const ThreadFlow& flow) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(meaning(value, flow));
  return binary && binary->getOpcode() == kind ? binary : nullptr;
}

// `z * size.y + y`, from the component on: the number of a thread in order of the threadgroup.
bool counts_from(std::string_view component, const clang::Expr* value, const ThreadFlow& flow) {
  const auto is_own = [&](const clang::Expr* each) {
    const auto own = part_at(each, Position::in_threadgroup, flow);
    return own && own->component == component;
  };
  const auto is_size = [&](const clang::Expr* each) {
    const auto size = threadgroup_size(each, flow);
    return size && size->component == component;
  };
  const auto* sum = operation_of(value, clang::BO_Add, flow);
  if (!sum) return component != "x" && is_own(value);
  const bool own_first = is_own(sum->getLHS());
  if (component == "z" || (!own_first && !is_own(sum->getRHS()))) return false;
  const auto* rows = operation_of(own_first ? sum->getRHS() : sum->getLHS(), clang::BO_Mul, flow);
  if (!rows) return false;
  const auto next = component == "x" ? "y" : "z";
  return (is_size(rows->getRHS()) && counts_from(next, rows->getLHS(), flow)) ||
         (is_size(rows->getLHS()) && counts_from(next, rows->getRHS(), flow));
}

bool is_thread_index(const clang::Expr* value, const ThreadFlow& flow) {
  const auto own = part_at(value, Position::in_threadgroup, flow);
  return own ? own->component.empty() : counts_from("x", value, flow);
}

// Whether so many threads, and `more`, are whole simdgroups.
bool is_whole(const clang::Expr* count, std::int64_t more, const ThreadFlow& flow) {
  if (const auto number = constant_of(count, flow.unit().ast()))
    return *number + more > 0 && (*number + more) % lanes == 0;
  return more == 0 && is_simdgroup_size(count, flow);
}

// `thread / 32`, `thread < 64`.
bool is_uniform_in_simdgroup(const clang::BinaryOperator& operation, const ThreadFlow& flow) {
  const auto* thread = operation.getLHS();
  const auto* count = operation.getRHS();
  auto kind = operation.getOpcode();
  if (operation.isRelationalOp() && !is_thread_index(thread, flow)) {
    std::swap(thread, count);
    kind = clang::BinaryOperator::reverseComparisonOp(kind);
  }
  if (!is_thread_index(thread, flow)) return false;
  const auto number = constant_of(count, flow.unit().ast());
  switch (kind) {
    case clang::BO_Div:
    case clang::BO_LT:
    case clang::BO_GE:
      return is_whole(count, 0, flow);
    case clang::BO_LE:
    case clang::BO_GT:
      return is_whole(count, 1, flow);
    case clang::BO_Shr:
      return number && *number >= 5;
    case clang::BO_And:
      return number && *number % lanes == 0;
    default:
      return false;
  }
}

// `position - thread`, `position / threads_per_threadgroup`: where the threadgroup begins.
bool is_same_in_threadgroup(const clang::BinaryOperator& operation, const ThreadFlow& flow) {
  const auto position = part_at(operation.getLHS(), Position::in_grid, flow);
  if (!position) return false;
  std::optional<Part> other;
  if (operation.getOpcode() == clang::BO_Sub)
    other = part_at(operation.getRHS(), Position::in_threadgroup, flow);
  else if (operation.getOpcode() == clang::BO_Div)
    other = threadgroup_size(operation.getRHS(), flow);
  return other && other->component == position->component;
}

}  // namespace

std::optional<Divergence> divergence_by_shape(const clang::BinaryOperator& operation,
                                              const ThreadFlow& flow) {
  if (is_same_in_threadgroup(operation, flow)) return Divergence::none;
  if (is_uniform_in_simdgroup(operation, flow)) return Divergence::simdgroup;
  return std::nullopt;
}

}  // namespace msci
