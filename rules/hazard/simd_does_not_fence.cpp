#include <clang/AST/ASTContext.h>

#include <algorithm>

#include "base/metal_limits.h"
#include "lint/analysis/sharing.h"
#include "lint/rule.h"

namespace msci {
namespace {

bool goes_by(const SharedAccess& access, Position position) {
  for (const auto& index : access.indices)
    for (const auto& atom : index.atoms())
      if (atom.position == position) return true;
  return false;
}

// Whether both are accesses to elements that belong to one simdgroup: what it exchanges stays
// there. a[simdgroup] and a[lane] are what simdgroups exchange with each other.
bool stay_in_simdgroup(const SharedAccess& first, const SharedAccess& second) {
  const auto both = [&](Position position) {
    return goes_by(first, position) && goes_by(second, position);
  };
  const auto is_one_element = [](const SharedAccess& access) {
    return std::all_of(access.indices.begin(), access.indices.end(),
                       [](const IndexForm& index) { return index.varying().terms.empty(); });
  };
  // One element and one for each lane: it may well be that only one simdgroup gets there.
  const bool one = (goes_by(first, Position::lane) && is_one_element(second)) ||
                   (goes_by(second, Position::lane) && is_one_element(first));
  return one || both(Position::lane) || both(Position::simdgroup);
}

// The greatest value of a distance between threads: a constant, or what a loop counts from or up to
// (`for (d = 16; d > 0; d /= 2)`).
std::optional<std::int64_t> greatest(const clang::Expr* distance, const ThreadFlow& flow) {
  const auto& ast = flow.unit().ast();
  if (const auto known = constant_of(distance, ast)) return known;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(distance->IgnoreParenImpCasts());
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  const auto first = variable ? constant_of(variable->getInit(), ast) : std::nullopt;
  if (!first) return std::nullopt;
  for (const clang::Stmt* at = distance; at; at = flow.parent(at)) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(at);
    if (!loop || !loop->getInit() || !flow.contains(loop->getInit(), variable->getInit())) continue;
    const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
    if (!test || root_variable(test->getLHS()) != variable) return std::nullopt;
    if (test->getOpcode() == clang::BO_GT || test->getOpcode() == clang::BO_GE) return first;
    const auto last = constant_of(test->getRHS(), ast);
    return last ? std::optional(std::max(*first, *last - (test->getOpcode() == clang::BO_LT)))
                : std::nullopt;
  }
  return std::nullopt;
}

bool is_own(const IndexForm& index) {
  const auto atoms = index.atoms();
  return index.terms.size() == 1 && atoms.size() == 1 && index.terms.begin()->second == 1 &&
         atoms.front().position == Position::in_threadgroup;
}

// Whether an index is `thread ^ distance` with a distance below 32: a thread of the same simdgroup.
bool is_partner(const IndexForm& index, const ThreadFlow& flow) {
  const auto atoms = index.atoms();
  if (index.terms.size() != 1 || atoms.size() != 1 || index.terms.begin()->second != 1)
    return false;
  const auto& atom = atoms.front();
  const auto* value = atom.variable ? flow.only_value(atom.variable) : atom.expression;
  const auto* flip =
      value ? llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParenImpCasts()) : nullptr;
  if (!flip || flip->getOpcode() != clang::BO_Xor) return false;
  const auto is_flip = [&](const clang::Expr* thread, const clang::Expr* distance) {
    const auto most = greatest(distance, flow);
    return most && *most < simdgroup_lanes && is_own(index_form(thread, flow));
  };
  return is_flip(flip->getLHS(), flip->getRHS()) || is_flip(flip->getRHS(), flip->getLHS());
}

// a[t] and a[t ^ 1].
bool are_partners(const SharedAccess& first, const SharedAccess& second, const ThreadFlow& flow) {
  const auto near = [&](const SharedAccess& access) {
    return !access.indices.empty() &&
           std::all_of(access.indices.begin(), access.indices.end(), [&](const IndexForm& index) {
             return is_own(index) || is_partner(index, flow);
           });
  };
  return near(first) && near(second);
}

bool is_one_simdgroup(const ThreadFlow& flow) {
  const auto limit = flow.unit().attribute(flow.function(), "max_total_threads_per_threadgroup");
  return limit && limit->value && *limit->value <= simdgroup_lanes;
}

void check_simd_does_not_fence(const ThreadFlow& flow, Reporter& report) {
  std::set<const clang::Stmt*> fences, all;
  for (const auto& barrier : flow.barriers()) {
    all.insert(barrier.call);
    if (barrier.whole_threadgroup) fences.insert(barrier.call);
  }
  if (all.size() == fences.size() || is_one_simdgroup(flow)) return;
  for (const auto* call : flow.barrier_calls()) fences.insert(call);
  const auto accesses = accesses_in(flow, Space::threadgroup);
  for (const auto& [first, second] : collisions(accesses, flow, fences)) {
    if (stay_in_simdgroup(*first, *second) || are_partners(*first, *second, flow)) continue;
    if (flow.reaches(first->when, second->when, all)) continue;
    for (const auto& barrier : flow.barriers()) {
      if (barrier.whole_threadgroup || !flow.reaches(first->when, barrier.call, fences) ||
          !flow.reaches(barrier.call, second->when, fences))
        continue;
      report(barrier.call->getSourceRange(),
             "orders only the threads of one simdgroup, but other simdgroups share this memory")
          .note(first->place->getSourceRange(), first->writes ? "written here" : "read here")
          .note(second->place->getSourceRange(), second->writes
                                                     ? "and overwritten by another thread here"
                                                     : "and read by another thread here");
      break;
    }
  }
}

}  // namespace

extern constinit const Rule simd_does_not_fence{
    .check_cooperative_flow = check_simd_does_not_fence,
};

}  // namespace msci
