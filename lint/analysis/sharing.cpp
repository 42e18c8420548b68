#include "lint/analysis/sharing.h"

#include <algorithm>

#include "lint/analysis/indices/iterations.h"

namespace msci {

std::vector<Collision> collisions(const SharedAccesses& accesses, const ThreadFlow& flow,
                                  const std::set<const clang::Stmt*>& fences) {
  std::vector<Collision> found;
  std::set<std::pair<const clang::VarDecl*, bool>> told;
  for (const auto& first : accesses.all)
    for (const auto& second : accesses.all) {
      // Two plain stores of one element exchange nothing; clearing a counter that others count in
      // is.
      const bool both_store = first.writes && second.writes && !first.atomic && !second.atomic;
      if (both_store || !(first.writes || second.writes) ||
          told.contains({first.memory, first.writes}))
        continue;
      if (!collide(first, second, flow) || !reaches_unfenced(first.when, second.when, flow, fences))
        continue;
      told.insert({first.memory, first.writes});
      found.push_back({&first, &second});
    }
  return found;
}

namespace {

bool is_on_grid(const SharedAccess& access) {
  if (access.indices.size() != 1) return false;
  const auto atoms = access.indices.front().varying().atoms();
  return !atoms.empty() && std::all_of(atoms.begin(), atoms.end(), [](const Atom& atom) {
    return atom.divergence == Divergence::none || atom.position == Position::in_grid;
  });
}

// Conditions that pick every other thread, so that neighbours are not at work at the same time.
bool picks_some(const clang::Stmt* condition, const ThreadFlow& flow, int depth = 0) {
  if (!condition || depth > 12) return false;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(condition)) {
    const auto operation = binary->getOpcode();
    if (operation == clang::BO_And || operation == clang::BO_Rem || operation == clang::BO_Xor)
      return true;
  }
  if (llvm::isa<clang::CallExpr>(condition)) return true;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(condition))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
        variable && !llvm::isa<clang::ParmVarDecl>(variable)) {
      const auto* value = flow.only_value(variable);
      return !value || picks_some(value, flow, depth + 1);
    }
  return std::any_of(condition->child_begin(), condition->child_end(),
                     [&](const clang::Stmt* child) { return picks_some(child, flow, depth + 1); });
}

bool all_threads_take_part(const SharedAccess& access, const ThreadFlow& flow) {
  const auto& conditions = flow.deciding(access.when);
  return std::none_of(conditions.begin(), conditions.end(), [&](const clang::Expr* condition) {
    return flow.divergence(condition) != Divergence::none && picks_some(condition, flow);
  });
}

}  // namespace

std::optional<Collision> grid_collision(const SharedAccesses& accesses, const ThreadFlow& flow,
                                        bool crossing) {
  std::set<const clang::Stmt*> fences;
  for (const auto& barrier : flow.barriers()) fences.insert(barrier.call);
  for (const auto* call : flow.barrier_calls()) fences.insert(call);
  for (const auto& first : accesses.all) {
    if (!is_on_grid(first)) continue;
    for (const auto& second : accesses.all) {
      // A write before the read is what a barrier is meant for.
      if (first.writes == second.writes || (crossing && !first.writes) || !is_on_grid(second) ||
          !collide(first, second, flow))
        continue;
      const bool past_all = flow.reaches(first.when, second.when, fences);
      const bool meets =
          crossing ? !past_all && flow.reaches(first.when, second.when, {}) : past_all;
      if (meets && all_threads_take_part(first, flow) && all_threads_take_part(second, flow))
        return Collision{&first, &second};
    }
  }
  return std::nullopt;
}

namespace {

bool is_group(const Atom& atom) { return atom.position == Position::threadgroup; }

// How far apart the elements of neighbouring threadgroups lie; 0: that is not known.
std::int64_t group_stride(const IndexForm& index) {
  std::int64_t stride = 0;
  for (const auto& [product, count] : index.terms)
    if (std::any_of(product.begin(), product.end(), is_group)) {
      if (stride || product.size() != 1) return 0;
      stride = count;
    }
  return stride;
}

bool is_of_another_group(const IndexForm& own, const IndexForm& read) {
  const auto stride = group_stride(own);
  if (stride < 1 || !own.is_fixed()) return false;
  const auto distance = read - own;
  if (group_stride(read) == stride) {
    const auto steps = distance.constant() / stride;
    return distance.is_constant() && steps != 0 && distance.constant() % stride == 0 &&
           std::abs(steps) <= 4;
  }
  const auto atoms = read.atoms();
  if (std::any_of(atoms.begin(), atoms.end(), is_group) || own.terms.size() > 2 ||
      own.varying().terms.size() || (own.terms.size() == 2 && own.constant() == 0))
    return false;
  if (read.is_constant()) {
    // The first threadgroup may be the one that reads.
    const auto from_first = read.constant() - own.constant();
    return from_first > 0 && from_first % stride == 0;
  }
  const auto counted = read - constant_form(own.constant());
  return counted.terms.size() == 1 && atoms.size() == 1 && atoms.front().variable &&
         !atoms.front().fixed && atoms.front().divergence == Divergence::none &&
         counted.terms.begin()->second == stride;
}

}  // namespace

std::optional<Collision> group_collision(const SharedAccesses& accesses, const ThreadFlow& flow) {
  for (const auto* call : flow.calls())
    if (metal_function(*call, flow.unit()).starts_with("atomic_")) return std::nullopt;
  for (const auto& write : accesses.all) {
    if (!write.writes || write.indices.size() != 1 || !flow.is_fixed(write.memory)) continue;
    for (const auto& read : accesses.all)
      if (!read.writes && read.memory == write.memory && read.indices.size() == 1 &&
          is_of_another_group(write.indices.front(), read.indices.front()) &&
          flow.reaches(write.when, read.when, {}))
        return Collision{&write, &read};
  }
  return std::nullopt;
}

}  // namespace msci
