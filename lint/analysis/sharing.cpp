#include "lint/analysis/sharing.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <numeric>

#include "lint/analysis/bounds.h"
#include "lint/analysis/iterations.h"

namespace msci {
namespace {

// Neighbours further apart may belong to another part of an array that threads share out among
// them (`a[t]`, `a[t + 256]`).
constexpr std::int64_t farthest_neighbour = 4;

Space memory_space(const clang::VarDecl& variable) {
  const auto type = variable.getType();
  if (type->isPointerType() || type->isReferenceType()) return space_of(type->getPointeeType());
  return space_of(type);
}

// An array or a kernel's argument; what a local pointer points to is not known.
bool is_memory(const clang::VarDecl& variable, Space space) {
  if (memory_space(variable) != space) return false;
  const auto type = variable.getType();
  return llvm::isa<clang::ParmVarDecl>(variable) ||
         !(type->isPointerType() || type->isReferenceType());
}

const clang::Expr* unwrapped(const clang::Expr* value) {
  while (true) {
    value = value->IgnoreParens();
    const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value);
    if (!cast || cast->getCastKind() == clang::CK_LValueToRValue) {
      // A kernel's pointer argument is itself read where an element is named.
      const auto* name =
          cast ? llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens()) : nullptr;
      return name && name->getType()->isPointerType() ? name : value;
    }
    value = cast->getSubExpr();
  }
}

// The memory and the indices of `a[i][j].x`; no memory where it is something else.
SharedAccess element(const clang::Expr* place, const ThreadFlow& flow, Space space) {
  SharedAccess access{.place = place};
  const auto* at = unwrapped(place);
  while (true) {
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(at)) {
      access.indices.insert(access.indices.begin(), index_form(subscript->getIdx(), flow));
      at = unwrapped(subscript->getBase());
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(at);
               call && call->getOperator() == clang::OO_Subscript) {
      access.indices.insert(access.indices.begin(), index_form(call->getArg(1), flow));
      at = unwrapped(call->getArg(0));
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at)) {
      access.indices.clear();
      if (!llvm::isa<clang::ArraySubscriptExpr>(unwrapped(member->getBase()))) return access;
      at = unwrapped(member->getBase());
    } else if (const auto* component = llvm::dyn_cast<clang::ExtVectorElementExpr>(at)) {
      at = unwrapped(component->getBase());
    } else {
      break;
    }
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(at);
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (variable && is_memory(*variable, space)) access.memory = variable;
  return access;
}

class Collector {
 public:
  Collector(const ThreadFlow& flow, Space space) : flow_(flow), space_(space) {}

  SharedAccesses collect() {
    for (const auto* statement : flow_.statements()) look_at(*statement);
    // Any mention that is neither read nor written here is out of sight.
    for (const auto* statement : flow_.statements())
      if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement))
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
            variable && is_memory(*variable, space_) && !seen_.contains(name))
          accesses_.escaped.insert(variable);
    return std::move(accesses_);
  }

 private:
  void look_at(const clang::Stmt& statement) {
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement);
        binary && binary->isAssignmentOp()) {
      if (binary->isCompoundAssignmentOp()) add(binary->getLHS(), binary, false);
      add(binary->getLHS(), binary, true);
    } else if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(&statement);
               step && step->isIncrementDecrementOp()) {
      add(step->getSubExpr(), step, false);
      add(step->getSubExpr(), step, true);
    } else if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&statement);
               cast && cast->getCastKind() == clang::CK_LValueToRValue &&
               !cast->getType()->isPointerType()) {
      add(cast->getSubExpr(), cast, false);
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&statement);
               call && call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2) {
      add(call->getArg(0), call, true);
      add(call->getArg(1), call, false);
    } else if (const auto* copy = llvm::dyn_cast<clang::CXXConstructExpr>(&statement);
               copy && copy->getConstructor()->isCopyOrMoveConstructor()) {
      add(copy->getArg(0), copy, false);
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
      look_at_atomic(*call);
    }
  }

  // The object stays out of sight otherwise: what the functions return or compare is not followed.
  void look_at_atomic(const clang::CallExpr& call) {
    const auto name = metal_function(call, flow_.unit());
    if (space_ != Space::threadgroup || !name.starts_with("atomic_") || call.getNumArgs() == 0)
      return;
    const auto* address =
        llvm::dyn_cast<clang::UnaryOperator>(call.getArg(0)->IgnoreParenImpCasts());
    if (!address || address->getOpcode() != clang::UO_AddrOf) return;
    auto access = element(address->getSubExpr(), flow_, space_);
    if (!access.memory) return;
    access.when = &call;
    access.writes = !name.starts_with("atomic_load");
    access.atomic = access.writes && !name.starts_with("atomic_store");
    accesses_.all.push_back(std::move(access));
  }

  void add(const clang::Expr* place, const clang::Stmt* when, bool writes) {
    auto access = element(place, flow_, space_);
    if (!access.memory) return;
    mark(place);
    access.when = when;
    access.writes = writes;
    accesses_.all.push_back(std::move(access));
  }

  // The name at the root of a place has been accounted for.
  void mark(const clang::Stmt* place) {
    for (const clang::Stmt* at = place; at;) {
      if (llvm::isa<clang::DeclRefExpr>(at)) {
        seen_.insert(at);
        return;
      }
      if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(at))
        at = call->getArg(0);
      else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(at))
        at = subscript->getBase();
      else
        at = at->child_begin() == at->child_end() ? nullptr : *at->child_begin();
    }
  }

  const ThreadFlow& flow_;
  Space space_;
  SharedAccesses accesses_;
  std::set<const clang::Stmt*> seen_;
};

// Whether a bound leaves one thread of the whole group, rather than one of each simdgroup or row.
bool pins_group(const Bound& bound) {
  const auto atoms = bound.varying.atoms();
  return is_pinned(bound) && atoms.size() == 1 &&
         atoms.front().position == Position::in_threadgroup && atoms.front().text.empty();
}

// Whether a bound is by a size: it leaves many threads on its side wherever there is enough to do.
bool is_by_size(const Bound& bound) {
  return bound.operation != clang::BO_EQ && bound.operation != clang::BO_NE &&
         !bound.uniform.is_constant();
}

bool many_take_part(const Threads& threads) {
  return !threads.others && std::all_of(threads.bounds.begin(), threads.bounds.end(), is_by_size);
}

bool pins_any(const Threads& threads) {
  return std::any_of(threads.bounds.begin(), threads.bounds.end(), is_pinned);
}

// Whether neighbours a distance of `steps` threads apart take part in both accesses: element
// second(t) == first(t + steps).
bool both_take_part(const Atom& atom, std::int64_t steps, const Threads& first,
                    const Threads& second) {
  if (first.others || second.others || pins_any(first) || pins_any(second)) return false;
  IndexForm thread;
  thread.terms[{atom}] = 1;
  const auto known = [&](const Threads& threads) {
    return std::all_of(threads.bounds.begin(), threads.bounds.end(), [&](const Bound& bound) {
      // An upper bound by a constant is looked at below; lower bounds by one leave the others.
      const bool by_constant = bound.uniform.is_constant() && bound.varying == thread;
      const bool on_grid =
          std::any_of(bound.varying.terms.begin(), bound.varying.terms.end(), [](const auto& term) {
            return term.first.size() == 1 && term.first.front().position == Position::in_grid;
          });
      return on_grid ||
             (by_constant && (bound.operation == clang::BO_LT ||
                              (bound.operation == clang::BO_GT && bound.uniform.constant() <= 1) ||
                              (bound.operation == clang::BO_GE && bound.uniform.constant() <= 1)));
    });
  };
  if (!known(first) || !known(second)) return false;
  const auto first_limit = limit_of(thread, first), second_limit = limit_of(thread, second);
  // t in [1, second_limit), t + steps in [1, first_limit)
  const std::int64_t from = std::max<std::int64_t>(1, 1 - steps);
  if (first_limit && from + steps >= *first_limit) return false;
  return !second_limit || from < *second_limit;
}

// How two indices of one dimension stand to each other.
enum class Relation { same, met, unknown };

bool is_plain_position(const IndexForm& varying) {
  return varying.terms.size() == 1 && varying.terms.begin()->second == 1 &&
         varying.terms.begin()->first.size() == 1;
}

Atom only_atom(const IndexForm& form) { return form.terms.begin()->first.front(); }

// a[t] and a[t + 1]: whose element is the other's neighbour.
Relation shifted(const IndexForm& first, const IndexForm& second, const Threads& first_threads,
                 const Threads& second_threads) {
  const auto distance = second - first;
  if (!distance.is_constant() || !first.is_fixed()) return Relation::unknown;
  for (const auto& [product, count] : first.varying().terms) {
    if (product.size() != 1 || distance.constant() % count) continue;
    const auto steps = distance.constant() / count;
    if (std::abs(steps) <= farthest_neighbour &&
        both_take_part(product.front(), steps, first_threads, second_threads))
      return Relation::met;
  }
  return Relation::unknown;
}

// `for (k = thread; …; k += threads) a[k] = …`: the loop that shares an array out among the
// threads.
bool shares_out(const IndexForm& index, const SharedAccess& access, const ThreadFlow& flow) {
  if (index.terms.size() != 1 || !is_plain_position(index)) return false;
  const auto atom = only_atom(index);
  if (!atom.variable || atom.fixed || !atom.variable->getInit()) return false;
  const auto start = index_form(atom.variable->getInit(), flow);
  if (!is_plain_position(start)) return false;
  const auto position = only_atom(start).position;
  if (position != Position::in_threadgroup && position != Position::in_grid) return false;
  for (const clang::Stmt* at = access.when; at; at = flow.parent(at))
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(at);
        loop && loop->getInit() && flow.contains(loop->getInit(), atom.variable->getInit()))
      return loop->getInc() && !llvm::isa<clang::UnaryOperator>(loop->getInc());
  return false;
}

// Elements that a thread looks up, other ones each round, in an array that all have filled
// together.
bool looks_up(const IndexForm& index) {
  const auto atoms = index.atoms();
  // Its own position and what it counts in a loop: the surroundings of its element.
  const bool around = is_plain_position(index.varying()) && index.constant() == 0 &&
                      index.uniform().terms.size() == 1;
  return !index.varying().terms.empty() &&
         (around ||
          std::none_of(atoms.begin(), atoms.end(),
                       [](const Atom& atom) { return atom.position != Position::none; })) &&
         std::any_of(atoms.begin(), atoms.end(), [](const Atom& atom) {
           return !atom.fixed && atom.variation == Variation::none;
         });
}

// a[t], by each thread, and a[0] or a[j], by each thread for the same or all j.
Relation crossed(const IndexForm& own, const IndexForm& common, const Threads& own_threads,
                 const Threads& common_threads) {
  if (own_threads.others || common_threads.others || pins_any(common_threads))
    return Relation::unknown;
  if (!is_plain_position(own.varying()) || own.constant() != 0 || common.constant() < 0)
    return Relation::unknown;
  const auto atom = only_atom(own.varying());
  if (atom.position == Position::none) return Relation::unknown;
  if (own.uniform().terms.empty() && common.is_constant()) {
    // t == c or t < c or t >= c may leave out just that element's thread.
    const bool plain =
        std::all_of(own_threads.bounds.begin(), own_threads.bounds.end(), [&](const Bound& bound) {
          return bound.varying == own.varying()
                     ? bound.operation == clang::BO_LT && bound.uniform.is_constant() &&
                           bound.uniform.constant() > common.constant()
                     : bound.operation == clang::BO_EQ || bound.operation == clang::BO_LT;
        });
    return plain && common_threads.bounds.empty() && common.constant() < farthest_neighbour
               ? Relation::met
               : Relation::unknown;
  }
  // A loop's variable beside the same fixed rest.
  auto rest = common - own.uniform();
  rest.terms.erase(std::vector<Atom>{});
  if (!own.uniform().is_fixed() || rest.terms.size() != 1) return Relation::unknown;
  const auto& [product, count] = *rest.terms.begin();
  const bool loops =
      product.size() == 1 && count == 1 && product.front().variable && !product.front().fixed;
  return loops && many_take_part(own_threads) && many_take_part(common_threads) ? Relation::met
                                                                                : Relation::unknown;
}

bool is_component(const Atom& atom) {
  return atom.position == Position::in_threadgroup && !atom.text.empty();
}

// a[simdgroup], by the first lanes, and a[lane], by one simdgroup.
Relation exchanged(const IndexForm& first, const IndexForm& second) {
  if (!is_plain_position(first.varying()) || !is_plain_position(second.varying()))
    return Relation::unknown;
  if (first - first.varying() != second - second.varying() || first.constant() != 0 ||
      !first.is_fixed() || !second.is_fixed())
    return Relation::unknown;
  const auto a = only_atom(first.varying()), b = only_atom(second.varying());
  const bool simdgroup_a = a.position == Position::simdgroup;
  const bool simdgroup_b = b.position == Position::simdgroup;
  const bool simdgroup_and_other = simdgroup_a != simdgroup_b &&
                                   (simdgroup_a ? b : a).position != Position::none &&
                                   (simdgroup_a ? b : a).position != Position::in_grid;
  return simdgroup_and_other || (is_component(a) && is_component(b) && a.variable == b.variable)
             ? Relation::met
             : Relation::unknown;
}

// a[t] and a[n - 1 - t], by each thread: the first one's element is the last one's.
Relation reversed(const IndexForm& first, const IndexForm& second, const Threads& first_threads,
                  const Threads& second_threads) {
  const auto sum = first + second;
  if (!sum.varying().terms.empty() || !first.is_fixed() || !second.is_fixed())
    return Relation::unknown;
  if (sum.is_constant() && sum.constant() < 1) return Relation::unknown;
  const auto own = is_plain_position(first.varying()) ? first.varying() : second.varying();
  const bool by_thread =
      is_plain_position(own) && only_atom(own).position == Position::in_threadgroup;
  // `if (t < n / 2)` in front of an exchange of both leaves the other half out.
  const bool all = !first_threads.others && first_threads.bounds.empty() &&
                   !second_threads.others && second_threads.bounds.empty();
  return by_thread && all ? Relation::met : Relation::unknown;
}

// Where a row of elements is closed to a ring: `sum % size`, `sum & mask`.
struct Ring {
  const clang::Expr* sum = nullptr;
  IndexForm size;
};

std::optional<Ring> ring_of(const IndexForm& index, const ThreadFlow& flow) {
  if (index.terms.size() != 1 || !is_plain_position(index)) return std::nullopt;
  const auto atom = only_atom(index);
  const auto* value = atom.variable ? flow.only_value(atom.variable) : atom.expression;
  const auto* binary =
      value ? llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParenImpCasts()) : nullptr;
  if (!binary) return std::nullopt;
  const auto right = index_form(binary->getRHS(), flow);
  if (binary->getOpcode() == clang::BO_Rem) return Ring{binary->getLHS(), right};
  const auto size = right.constant() + 1;
  const bool is_mask = right.is_constant() && size > 0 && (size & (size - 1)) == 0;
  if (binary->getOpcode() != clang::BO_And || !is_mask) return std::nullopt;
  return Ring{binary->getLHS(), constant_form(size)};
}

// In a ring, the sum itself: that is what it is for the threads in the middle. `t + size - 1` is
// `t - 1`. Anything else stays as it is.
IndexForm without_ring(const IndexForm& index, const ThreadFlow& flow) {
  const auto ring = ring_of(index, flow);
  if (!ring || !ring->size.is_fixed() || !ring->size.varying().terms.empty()) return index;
  auto sum = index_form(ring->sum, flow);
  if (ring->size.is_constant()) {
    const auto size = ring->size.constant();
    if (size <= 2 * farthest_neighbour) return index;
    const auto rest = ((sum.constant() % size) + size) % size;
    sum = sum + constant_form((rest > size / 2 ? rest - size : rest) - sum.constant());
  } else if (!sum.uniform().terms.empty()) {
    sum = sum - ring->size;
  }
  if (!sum.uniform().terms.empty() || !is_plain_position(sum.varying())) return index;
  const auto position = only_atom(sum.varying()).position;
  return position == Position::in_threadgroup || position == Position::in_grid ? sum : index;
}

Relation relation(const IndexForm& first_index, const IndexForm& second_index,
                  const Threads& first_threads, const Threads& second_threads,
                  const ThreadFlow& flow) {
  if (first_index == second_index)
    return first_index.is_fixed() ? Relation::same : Relation::unknown;
  const auto first = without_ring(first_index, flow), second = without_ring(second_index, flow);
  if (first == second) return Relation::unknown;  // the same for some threads
  const bool first_varies = !first.varying().terms.empty();
  const bool second_varies = !second.varying().terms.empty();
  if (first_varies && second_varies)
    return first.varying() == second.varying()
               ? shifted(first, second, first_threads, second_threads)
           : exchanged(first, second) == Relation::met
               ? Relation::met
               : reversed(first, second, first_threads, second_threads);
  if (first_varies) return crossed(first, second, first_threads, second_threads);
  if (second_varies) return crossed(second, first, second_threads, first_threads);
  return Relation::unknown;
}

// An array that the threads share out among them to fill it, and in which each looks things up.
bool looked_up(const SharedAccess& first, const SharedAccess& second, const Threads& first_threads,
               const Threads& second_threads, const ThreadFlow& flow) {
  const auto& writer = first.writes ? first : second;
  const auto& reader = first.writes ? second : first;
  // The loop's own bound is the one condition of the filling.
  const auto& filling = first.writes ? first_threads : second_threads;
  const auto& looking = first.writes ? second_threads : first_threads;
  return !filling.others && filling.bounds.size() == 1 && !looking.others &&
         looking.bounds.empty() && shares_out(writer.indices.front(), writer, flow) &&
         looks_up(reader.indices.front());
}

bool mentions(const clang::Stmt* value, const clang::VarDecl& variable, const ThreadFlow& flow,
              int depth = 0) {
  if (!value || depth > 12) return false;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value)) {
    const auto* named = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return named == &variable ||
           (named && mentions(flow.only_value(named), variable, flow, depth + 1));
  }
  return std::any_of(value->child_begin(), value->child_end(), [&](const clang::Stmt* child) {
    return mentions(child, variable, flow, depth + 1);
  });
}

bool has_own_position(const IndexForm& form) {
  const auto atoms = form.atoms();
  return std::any_of(atoms.begin(), atoms.end(),
                     [](const Atom& atom) { return atom.position == Position::in_threadgroup; });
}

// Whether a loop that the threads share (`k = thread; …; k += threads`) writes row and column of k.
bool fills_tile(const SharedAccess& access, const ThreadFlow& flow) {
  for (const clang::Stmt* at = access.when; at; at = flow.parent(at)) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(at);
    const auto* step =
        loop ? llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc()) : nullptr;
    const auto* variable = step ? root_variable(step->getLHS()) : nullptr;
    if (!variable || !variable->getInit() || !flow.contains(loop->getInit(), variable->getInit()))
      continue;
    if (has_own_position(index_form(variable->getInit(), flow)) &&
        mentions(access.place, *variable, flow))
      return true;
  }
  return false;
}

// A tile that the threads fill in order of its elements, and in which each reads at its own row and
// column, or around it.
bool met_in_tile(const SharedAccess& first, const SharedAccess& second,
                 const Threads& first_threads, const Threads& second_threads,
                 const ThreadFlow& flow) {
  const auto& writer = first.writes ? first : second;
  const auto& reader = first.writes ? second : first;
  const auto& reading = first.writes ? second_threads : first_threads;
  if (pins_any(reading) || reader.indices.size() != 2 || writer.indices.size() != 2) return false;
  const auto& row = reader.indices[0];
  const auto& column = reader.indices[1];
  // A whole row or column, element by element, beside the thread's own place.
  const auto counts = [](const IndexForm& index) {
    return index.varying().terms.empty() && index.constant() == 0 && !index.is_fixed();
  };
  const auto is_own = [](const IndexForm& index) {
    const auto atoms = index.varying().atoms();
    return atoms.size() == 1 && atoms.front().position != Position::none;
  };
  if ((counts(row) && is_own(column)) || (counts(column) && is_own(row)))
    return many_take_part(reading) && fills_tile(writer, flow);
  return row.is_fixed() && column.is_fixed() && has_own_position(row) && has_own_position(column) &&
         (row.constant() || column.constant()) &&
         std::max(std::abs(row.constant()), std::abs(column.constant())) <= farthest_neighbour &&
         fills_tile(writer, flow);
}

// Whether a bound keeps threads with a high index out: `t < s`.
bool is_upper(const Bound& bound) {
  return bound.operation == clang::BO_LT || bound.operation == clang::BO_LE;
}

bool is_lower(const Bound& bound) {
  return bound.operation == clang::BO_GT || bound.operation == clang::BO_GE;
}

// a[t], and a[t + s] with an s that changes from round to round: the steps of a tree or of a scan.
bool distant(const SharedAccess& first, const SharedAccess& second, const Threads& first_threads,
             const Threads& second_threads, const ThreadFlow& flow) {
  if (first.writes == second.writes) return false;
  const auto& writer = first.writes ? first : second;
  const auto& reader = first.writes ? second : first;
  const auto& writing = first.writes ? first_threads : second_threads;
  const auto& reading = first.writes ? second_threads : first_threads;
  const auto& own = writer.indices.front();
  const auto distance = reader.indices.front() - own;
  if (own.terms.size() != 1 || !is_plain_position(own) || !own.is_fixed() ||
      only_atom(own).position != Position::in_threadgroup || writing.others || reading.others)
    return false;
  if (distance.terms.size() != 1 || distance.is_constant() || !distance.varying().terms.empty() ||
      distance.is_fixed())
    return false;
  if (std::none_of(writing.bounds.begin(), writing.bounds.end(), is_upper) &&
      std::all_of(reading.bounds.begin(), reading.bounds.end(), is_lower))
    return writing.bounds.empty();
  // `if (t < s) a[t] += a[t + s]` touches two halves; they meet from one round to the next, and
  // when all have written before.
  const bool rounds = flow.contains(writer.when, reader.when);
  return first.writes && (writing.bounds.empty() || rounds) &&
         std::all_of(reading.bounds.begin(), reading.bounds.end(), is_upper);
}

// Whether an expression sends threads to each other's elements: t ^ d, order[t], reverse_bits(t).
bool sends_elsewhere(const clang::Stmt* value) {
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value);
      binary && binary->getOpcode() == clang::BO_Xor)
    return true;
  if (llvm::isa<clang::ArraySubscriptExpr>(value)) return true;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value);
      call && call->getDirectCallee() && call->getDirectCallee()->getDeclName().isIdentifier() &&
      call->getDirectCallee()->getName() == "reverse_bits")
    return true;
  return std::any_of(value->child_begin(), value->child_end(),
                     [](const clang::Stmt* child) { return child && sends_elsewhere(child); });
}

// An index that takes each thread to another one's element, by an expression other than a sum: bits
// turned around, a table, or pairs that lie apart (2 * (k - j) + j with j = k & mask).
struct Scatter {
  std::set<std::string> expressions;
  bool sends = false;
};

std::optional<Scatter> scatter(const IndexForm& index, const ThreadFlow& flow) {
  if (index.constant() != 0) return std::nullopt;
  Scatter found;
  for (const auto& [product, count] : index.varying().terms) {
    if (product.size() != 1) return std::nullopt;
    const auto& atom = product.front();
    const auto* made_of = atom.variable ? flow.only_value(atom.variable) : atom.expression;
    if (made_of) {
      found.expressions.insert(atom.variable ? atom.variable->getNameAsString() : atom.text);
      found.sends = found.sends || sends_elsewhere(made_of);
    } else {
      found.sends = found.sends || count > 1;
    }
  }
  if (found.expressions.empty() || !found.sends) return std::nullopt;
  return found;
}

bool is_own_element(const IndexForm& index, const SharedAccess& access, const ThreadFlow& flow) {
  return shares_out(index, access, flow) ||
         (index.terms.size() == 1 && is_plain_position(index) && index.is_fixed() &&
          only_atom(index).position == Position::in_threadgroup && only_atom(index).text.empty());
}

// a[t] and a[t ^ d]: one of the two goes over the elements in another order.
bool scattered(const SharedAccess& first, const SharedAccess& second, const Threads& first_threads,
               const Threads& second_threads, const ThreadFlow& flow) {
  const auto some_take_part = [](const Threads& threads) {
    return !threads.others &&
           std::all_of(threads.bounds.begin(), threads.bounds.end(), [](const Bound& bound) {
             return (is_upper(bound) && !is_pinned(bound)) || is_lower(bound);
           });
  };
  if (!some_take_part(first_threads) || !some_take_part(second_threads)) return false;
  const auto& a = first.indices.front();
  const auto& b = second.indices.front();
  const auto a_scatter = scatter(a, flow), b_scatter = scatter(b, flow);
  if (a_scatter && b_scatter)
    return std::none_of(a_scatter->expressions.begin(), a_scatter->expressions.end(),
                        [&](const auto& each) { return b_scatter->expressions.contains(each); });
  return (a_scatter && is_own_element(b, second, flow)) ||
         (b_scatter && is_own_element(a, first, flow));
}

// Each thread writes its own element, and all read the last one: a[t], then a[n - 1].
bool read_by_all(const SharedAccess& first, const SharedAccess& second,
                 const Threads& first_threads, const Threads& second_threads) {
  if (first.writes == second.writes || first_threads.others || second_threads.others ||
      !first_threads.bounds.empty() || !second_threads.bounds.empty())
    return false;
  const auto& own = (first.writes ? first : second).indices.front();
  const auto& last = (first.writes ? second : first).indices.front();
  return own.terms.size() == 1 && is_plain_position(own) && own.is_fixed() &&
         only_atom(own).position == Position::in_threadgroup && only_atom(own).text.empty() &&
         last.varying().terms.empty() && last.is_fixed() && last.uniform().terms.size() == 1 &&
         last.constant() == -1;
}

// The component of the thread's position that an index follows, directly or from a loop's start.
std::string component_of(const IndexForm& index, const ThreadFlow& flow) {
  if (index.terms.size() != 1 || !is_plain_position(index)) return "";
  auto atom = only_atom(index);
  if (atom.variable && !atom.fixed && atom.variable->getInit()) {
    const auto start = index_form(atom.variable->getInit(), flow);
    if (start.terms.size() != 1 || !is_plain_position(start)) return "";
    atom = only_atom(start);
  }
  return atom.position == Position::in_threadgroup ? atom.text : "";
}

// tile[y][x] and tile[x][y].
bool turned(const SharedAccess& first, const SharedAccess& second, const Threads& first_threads,
            const Threads& second_threads, const ThreadFlow& flow) {
  if (pins_any(first_threads) || pins_any(second_threads)) return false;
  const auto row = component_of(first.indices[0], flow);
  const auto column = component_of(first.indices[1], flow);
  return !row.empty() && !column.empty() && row != column &&
         component_of(second.indices[0], flow) == column &&
         component_of(second.indices[1], flow) == row;
}

// The same element for all threads: one of them writes it, others read it.
bool meet_at_one_element(const SharedAccess& first, const SharedAccess& second,
                         const Threads& first_threads, const Threads& second_threads,
                         const ThreadFlow& flow) {
  for (const auto& index : first.indices)
    if (!index.varying().terms.empty()) return false;
  const auto& writer = first.writes ? first_threads : second_threads;
  const auto& reader = first.writes ? second_threads : first_threads;
  const auto* writing = first.writes ? first.when : second.when;
  if (writer.others || reader.others || !reader.bounds.empty()) return false;
  return is_single_thread(writing, flow);
}

}  // namespace

bool is_single_thread(const clang::Stmt* statement, const ThreadFlow& flow) {
  const auto threads = threads_at(statement, flow);
  if (std::any_of(threads.bounds.begin(), threads.bounds.end(), pins_group)) return true;
  // x == 0 && y == 0, or lane == 0 && simdgroup == 0.
  std::set<std::string> components;
  bool lane = false, simdgroup = false;
  for (const auto& bound : threads.bounds) {
    if (!is_pinned(bound)) continue;
    for (const auto& atom : bound.varying.atoms()) {
      if (is_component(atom)) components.insert(atom.text);
      lane = lane || atom.position == Position::lane;
      simdgroup = simdgroup || atom.position == Position::simdgroup;
    }
  }
  return components.size() >= 2 || (lane && simdgroup);
}

SharedAccesses accesses_in(const ThreadFlow& flow, Space space) {
  return Collector(flow, space).collect();
}

bool collide(const SharedAccess& first, const SharedAccess& second, const ThreadFlow& flow) {
  if (first.memory != second.memory || !(first.writes || second.writes)) return false;
  if (first.atomic && second.atomic) return false;
  const auto first_threads = threads_at(first.when, flow);
  const auto second_threads = threads_at(second.when, flow);
  const auto dimensions = std::min(first.indices.size(), second.indices.size());
  if (dimensions == 1 && (looked_up(first, second, first_threads, second_threads, flow) ||
                          distant(first, second, first_threads, second_threads, flow) ||
                          scattered(first, second, first_threads, second_threads, flow) ||
                          read_by_all(first, second, first_threads, second_threads)))
    return true;
  if (dimensions == 2 && turned(first, second, first_threads, second_threads, flow)) return true;
  if (dimensions == 2 && first.writes != second.writes &&
      met_in_tile(first, second, first_threads, second_threads, flow))
    return true;
  bool met = false;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const auto each =
        relation(first.indices[i], second.indices[i], first_threads, second_threads, flow);
    if (each == Relation::unknown) return false;
    met = met || each == Relation::met;
  }
  if (met) return true;
  return first.writes != second.writes &&
         meet_at_one_element(first, second, first_threads, second_threads, flow);
}

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
    return atom.variation == Variation::none || atom.position == Position::in_grid;
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
    return flow.variation(condition) != Variation::none && picks_some(condition, flow);
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

}  // namespace msci
