// ThreadFlow: how values differ among the threads.
#include <algorithm>

#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/shape.h"

namespace msci {
namespace {

constexpr int longest_chain = 8;

// Whether a value differs by the lane alone, so that the simdgroups of a threadgroup hold the same
// values: `partial[lane]`.
bool differs_by_lane_alone(const clang::Stmt* part, const ThreadFlow& flow, int depth) {
  const auto* value = llvm::dyn_cast_or_null<clang::Expr>(part);
  if (!value || depth > longest_chain) return false;
  if (flow.divergence(value) == Divergence::none) return true;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value);
      call && metal_function(*call, flow.unit()).starts_with("atomic_"))
    return false;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (!variable) return false;
    return flow.position(variable) == Position::lane ||
           differs_by_lane_alone(flow.only_value(variable), flow, depth + 1);
  }
  return value->child_begin() != value->child_end() &&
         std::all_of(value->child_begin(), value->child_end(), [&](const clang::Stmt* child) {
           return differs_by_lane_alone(child, flow, depth);
         });
}

}  // namespace

// What is assigned in a loop that set the variable counts in this loop and behind it.
bool ThreadFlow::raise(const clang::VarDecl* variable, const clang::Stmt* at,
                       Divergence divergence) {
  // Memory that others see is looked at where it is read; only a thread's own variables are here.
  if (space_of(variable->getType()) != Space::thread) return false;
  bool changed = false;
  const auto raise_in = [&](const clang::ForStmt* loop) {
    auto& known = divergences_[{variable, loop}];
    changed = changed || known < divergence;
    known = std::max(known, divergence);
  };
  raise_in(nullptr);
  if (const auto loops = counting_loops_.find(variable); at && loops != counting_loops_.end())
    for (const auto* loop : loops->second)
      if (contains(loop, at)) raise_in(loop);
  return changed;
}

bool ThreadFlow::spread_once() {
  bool changed = false;
  for (const auto& each : assignments_) {
    if (each.in_shared_memory) continue;
    auto made = each.value ? divergence(each.value) : Divergence::none;
    // Threads that part at a condition come out of it with what each has assigned on its way.
    if (each.statement)
      if (const auto at = place(each.statement)) {
        const auto declared = declared_.find(each.variable);
        const auto from = declared == declared_.end() ? std::nullopt : place(declared->second);
        for (const auto* condition : deciding_.at(at->block->getBlockID())) {
          const bool inside =
              from && llvm::is_contained(deciding_.at(from->block->getBlockID()), condition);
          if (!inside) made = std::max(made, divergence(condition));
        }
      }
    changed = raise(each.variable, each.statement, made) || changed;
  }
  return changed;
}

void ThreadFlow::spread() {
  while (spread_once()) {
  }
}

Divergence ThreadFlow::of_children(const clang::Stmt& statement) const {
  auto most = Divergence::none;
  for (const auto* child : statement.children())
    if (const auto* value = llvm::dyn_cast_or_null<clang::Expr>(child))
      most = std::max(most, divergence(value));
  return most;
}

Divergence ThreadFlow::of_call(const clang::CallExpr& call) const {
  const std::string_view name = metal_function(call, *unit_);
  auto most = Divergence::none;
  for (const auto* argument : call.arguments()) most = std::max(most, divergence(argument));
  if (name.starts_with("atomic_fetch") || name.starts_with("atomic_exchange") ||
      name.starts_with("atomic_compare"))
    return Divergence::thread;
  if (name == "simd_is_first" || name == "quad_is_first") return Divergence::thread;
  const auto same_in_simdgroup = {
      "simd_sum", "simd_product", "simd_min", "simd_max", "simd_and",       "simd_or",
      "simd_xor", "simd_ballot",  "simd_any", "simd_all", "simd_broadcast", "simd_broadcast_first"};
  if (std::find(same_in_simdgroup.begin(), same_in_simdgroup.end(), name) !=
      same_in_simdgroup.end()) {
    const auto arguments = call.arguments();
    const bool is_same_everywhere = std::all_of(
        arguments.begin(), arguments.end(),
        [&](const clang::Expr* argument) { return differs_by_lane_alone(argument, *this, 0); });
    return is_same_everywhere ? Divergence::none : std::min(most, Divergence::simdgroup);
  }
  return most;
}

Divergence ThreadFlow::divergence(const clang::Expr* value) const {
  if (!value) return Divergence::none;
  value = value->IgnoreParens();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const auto known = divergences_.find({variable, counting_loop(variable, name)});
    return known == divergences_.end() ? Divergence::none : known->second;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value)) return of_call(*call);
  if (value->isValueDependent() || llvm::isa<clang::IntegerLiteral>(value)) return Divergence::none;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value)) {
    if (binary->getOpcode() == clang::BO_Comma) return divergence(binary->getRHS());
    const auto both = of_children(*value);
    if (both != Divergence::thread) return both;
    // x & 0, x * 0 and the like do not occur; x - x is not a condition in practice.
    return std::min(both, divergence_by_shape(*binary, *this).value_or(both));
  }
  return of_children(*value);
}

}  // namespace msci
