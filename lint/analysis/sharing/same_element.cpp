// Stores of many threads to one element.
#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "lint/analysis/sharing/index_relation.h"

namespace msci {
namespace {

bool is_position(const Atom& atom) { return atom.position != Position::none; }

// Whether a bound by a thread's position leaves many threads. `t >= n - 1` may leave one.
bool leaves_many(const ThreadBound& bound) {
  const auto atoms = bound.varying.atoms();
  if (is_pinned(bound) || !std::all_of(atoms.begin(), atoms.end(), is_position)) return false;
  const bool from_below = bound.operation == clang::BO_GT || bound.operation == clang::BO_GE;
  return !from_below || bound.uniform.is_constant();
}

bool many_get_to(const SharedAccess& access, const ThreadFlow& flow) {
  const auto all_leave_many = [](const Threads& threads) {
    return !threads.others &&
           std::all_of(threads.bounds.begin(), threads.bounds.end(), leaves_many);
  };
  return all_leave_many(threads_of(access, flow)) &&
         all_leave_many(threads_left_at(access.when, flow));
}

// The positions that an index or a value follows in proportion: those of t and 2 * t + 1, not of
// t / 2.
std::vector<Atom> positions_in(const IndexForm& form) {
  std::vector<Atom> found;
  for (const auto& [product, count] : form.terms)
    for (const auto& atom : product)
      if (is_position(atom) && atom.divergence == Divergence::thread && !atom.expression)
        found.push_back(atom);
  return found;
}

// The positions with which a value surely differs: those that it is computed from by arithmetic,
// and those of the elements that it is loaded from.
void find_positions(const clang::Expr* value, const ThreadFlow& flow, std::vector<Atom>& found,
                    int depth = 0) {
  if (!value || depth > 12) return;
  value = value->IgnoreParenCasts();
  const auto add = [&](const clang::Expr* index) {
    const auto more = positions_in(index_form(index, flow));
    found.insert(found.end(), more.begin(), more.end());
  };
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable && flow.only_value(variable))
      return find_positions(flow.only_value(variable), flow, found, depth + 1);
    if (value->getType()->isIntegerType()) add(value);
  } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(value)) {
    add(subscript->getIdx());
  } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value);
             binary && (binary->isAdditiveOp() || binary->getOpcode() == clang::BO_Mul)) {
    find_positions(binary->getLHS(), flow, found, depth + 1);
    find_positions(binary->getRHS(), flow, found, depth + 1);
  } else if (const auto* sign = llvm::dyn_cast<clang::UnaryOperator>(value);
             sign && sign->getOpcode() == clang::UO_Minus) {
    find_positions(sign->getSubExpr(), flow, found, depth + 1);
  } else if (llvm::isa<clang::ExtVectorElementExpr, clang::CXXOperatorCallExpr>(value) &&
             value->getType()->isIntegerType()) {
    add(value);
  }
}

// What is stored, other than the old value: the right side of an assignment, and the arguments of
// `most = max(most, …)`.
std::vector<Atom> positions_of_value(const SharedAccess& access, const ThreadFlow& flow) {
  std::vector<Atom> found;
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(access.when);
  if (!assignment) return found;
  const auto* value = assignment->getRHS()->IgnoreParenImpCasts();
  find_positions(value, flow, found);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value))
    if (const auto name = metal_function(*call, flow.unit()); name == "max" || name == "min")
      for (const auto* argument : call->arguments()) find_positions(argument, flow, found);
  return found;
}

// Whether each change counts: `+= 1` by many threads, but not `|= 1`.
bool accumulates(const clang::Stmt* when) {
  if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(when))
    return step->isIncrementDecrementOp();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(when);
  if (!binary) return false;
  const auto operation = binary->getOpcode();
  return operation == clang::BO_AddAssign || operation == clang::BO_SubAssign ||
         operation == clang::BO_MulAssign;
}

bool reads_itself(const SharedAccess& store, const SharedAccesses& accesses,
                  const ThreadFlow& flow) {
  return std::any_of(accesses.all.begin(), accesses.all.end(), [&](const SharedAccess& each) {
    return !each.writes && each.memory == store.memory && each.indices == store.indices &&
           flow.contains(store.when, each.when);
  });
}

// An index without anything that differs among the threads, of constants and of the kernel's
// arguments only: what cannot be told counts as the same elsewhere.
bool is_same_for_all(const IndexForm& index) {
  const auto atoms = index.atoms();
  return std::all_of(atoms.begin(), atoms.end(), [](const Atom& atom) {
    return atom.divergence == Divergence::none && atom.fixed && atom.variable &&
           llvm::isa<clang::ParmVarDecl>(atom.variable);
  });
}

// Whether threads of fewer than a simdgroup share each element: t / 2, t & 15, t % 8.
bool is_shared_by_some(const IndexForm& index, const ThreadFlow& flow) {
  if (index.terms.size() != 1 || !is_plain_position(index)) return false;
  const auto atom = only_atom(index);
  const auto* made = atom.variable ? flow.only_value(atom.variable) : atom.expression;
  const auto* binary =
      made ? llvm::dyn_cast<clang::BinaryOperator>(made->IgnoreParenImpCasts()) : nullptr;
  if (!binary) return false;
  const auto whole = index_form(binary->getLHS(), flow);
  const auto number = index_form(binary->getRHS(), flow);
  if (whole.terms.size() != 1 || positions_in(whole).size() != 1 || !number.is_constant())
    return false;
  const auto by = number.constant();
  switch (binary->getOpcode()) {
    case clang::BO_Div:
      return by > 1;
    case clang::BO_Shr:
      return by > 0;
    case clang::BO_And:
      return by > 0 && by < 31;
    case clang::BO_Rem:
      return by > 0 && by < 32;
    default:
      return false;
  }
}

// Whether data choose among fewer elements than a simdgroup has threads, so that two threads surely
// meet: bins[u[t] & 7].
bool is_one_of_few(const IndexForm& index, const ThreadFlow& flow) {
  const auto atoms = index.atoms();
  if (index.varying().terms.size() != 1 || atoms.size() != 1 ||
      atoms.front().divergence != Divergence::thread)
    return false;
  const auto& atom = atoms.front();
  const auto* made = atom.variable ? flow.only_value(atom.variable) : atom.expression;
  const auto* binary =
      made ? llvm::dyn_cast<clang::BinaryOperator>(made->IgnoreParenImpCasts()) : nullptr;
  if (!binary || !binary->getType()->isIntegerType()) return false;
  const auto number = index_form(binary->getRHS(), flow);
  if (!number.is_constant() || number.constant() <= 0) return false;
  const bool of_bits = binary->getOpcode() == clang::BO_And && number.constant() < 31;
  const bool of_rest = binary->getOpcode() == clang::BO_Rem && number.constant() < 32 &&
                       binary->getLHS()->getType()->isUnsignedIntegerType();
  return of_bits || of_rest;
}

// Whether the value differs along another axis of the position than the index: line[p.x] = x[p.y].
bool leaves_out_an_axis(const IndexForm& index, const std::vector<Atom>& value) {
  const auto own = positions_in(index);
  if (own.size() != 1 || own.front().position != Position::in_threadgroup ||
      own.front().text.empty() || index.varying().terms.size() != 1)
    return false;
  return std::any_of(value.begin(), value.end(), [&](const Atom& atom) {
    return atom.variable == own.front().variable && atom.text != own.front().text;
  });
}

bool has_positions(const ThreadFlow& flow) {
  const auto parameters = flow.function().parameters();
  return std::any_of(parameters.begin(), parameters.end(), [&](const auto* parameter) {
    const auto position = flow.position(parameter);
    return position == Position::in_grid || position == Position::in_threadgroup ||
           position == Position::lane;
  });
}

// A store to one element by many threads, alone.
std::optional<StoreOfMany> shared_store(const SharedAccess& access, const SharedAccesses& accesses,
                                        const ThreadFlow& flow) {
  const auto value = positions_of_value(access, flow);
  const bool same = std::all_of(access.indices.begin(), access.indices.end(), is_same_for_all);
  const bool few = access.indices.size() == 1 && is_one_of_few(access.indices.front(), flow);
  if ((same || few) && accumulates(access.when)) return StoreOfMany{&access, true};
  if (value.empty()) return std::nullopt;
  const bool some =
      access.indices.size() == 1 && (is_shared_by_some(access.indices.front(), flow) ||
                                     leaves_out_an_axis(access.indices.front(), value));
  if (!same && !some) return std::nullopt;
  return StoreOfMany{&access, reads_itself(access, accesses, flow)};
}

// Each thread stores to y[i], and then to y[i + 1], which is its neighbour's.
bool overlaps(const SharedAccess& own, const SharedAccess& next, const ThreadFlow& flow) {
  if (own.memory != next.memory || own.indices.size() != 1 || next.indices.size() != 1 ||
      own.field != next.field)
    return false;
  const auto& index = own.indices.front();
  const auto distance = next.indices.front() - index;
  const auto takes_all = [&](const SharedAccess& access) {
    const auto threads = threads_of(access, flow), left = threads_left_at(access.when, flow);
    return !threads.others && threads.bounds.empty() && !left.others && left.bounds.empty();
  };
  return index.terms.size() == 1 && is_plain_position(index) && index.is_fixed() &&
         positions_in(index).size() == 1 && distance.is_constant() && distance.constant() != 0 &&
         std::abs(distance.constant()) <= farthest_neighbour && takes_all(own) && takes_all(next);
}

}  // namespace

std::vector<StoreOfMany> stores_of_many(const SharedAccesses& accesses, const ThreadFlow& flow) {
  std::vector<StoreOfMany> found;
  if (!has_positions(flow)) return found;
  std::set<const clang::Stmt*> fences;
  for (const auto& barrier : flow.barriers()) fences.insert(barrier.call);
  for (const auto* call : flow.barrier_calls()) fences.insert(call);
  const auto is_plain_store = [&](const SharedAccess& access) {
    // `x += offset` moves a pointer, and then x[0] may be another element for each thread.
    if (access.memory->getType()->isPointerType() &&
        (access.indices.empty() || !flow.is_fixed(access.memory)))
      return false;
    return access.writes && !access.atomic &&
           llvm::isa<clang::BinaryOperator, clang::UnaryOperator>(access.when);
  };
  for (const auto& access : accesses.all) {
    if (!is_plain_store(access) || !many_get_to(access, flow)) continue;
    if (auto store = shared_store(access, accesses, flow)) {
      found.push_back(*store);
      continue;
    }
    for (const auto& own : accesses.all)
      if (is_plain_store(own) && own.when != access.when && overlaps(own, access, flow) &&
          !positions_of_value(access, flow).empty() &&
          flow.reaches(own.when, access.when, fences)) {
        found.push_back({&access, false, &own});
        break;
      }
  }
  return found;
}

}  // namespace msci
