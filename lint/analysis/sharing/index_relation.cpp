#include "lint/analysis/sharing/index_relation.h"

#include <algorithm>

namespace msci {
namespace {

// Whether a bound is by a size: it leaves many threads on its side wherever there is enough to do.
bool is_by_size(const ThreadBound& bound) {
  return bound.operation != clang::BO_EQ && bound.operation != clang::BO_NE &&
         !bound.uniform.is_constant();
}

// `t % 4 == 0`: every few threads.
bool is_periodic(const ThreadBound& bound) {
  const auto atoms = bound.varying.atoms();
  if (atoms.size() != 1 || !atoms.front().expression || !bound.uniform.is_constant()) return false;
  const auto* binary =
      llvm::dyn_cast<clang::BinaryOperator>(atoms.front().expression->IgnoreParenImpCasts());
  return (bound.operation == clang::BO_EQ || bound.operation == clang::BO_NE) && binary &&
         (binary->getOpcode() == clang::BO_Rem || binary->getOpcode() == clang::BO_And);
}

// Whether some threads get to an access whose elements all threads access elsewhere, those that lie
// `steps` threads away: every few threads, or one whose neighbour exists.
bool some_have_neighbours(const Atom& atom, std::int64_t steps, const Threads& threads) {
  IndexForm thread;
  thread.terms[{atom}] = 1;
  return !threads.others && !threads.bounds.empty() &&
         std::all_of(threads.bounds.begin(), threads.bounds.end(), [&](const ThreadBound& bound) {
           const bool is_one = bound.varying == thread && bound.operation == clang::BO_EQ &&
                               bound.uniform.is_constant();
           return is_periodic(bound) || (is_one && bound.uniform.constant() + steps >= 0);
         });
}

bool all_take_part(const Threads& threads) { return !threads.others && threads.bounds.empty(); }

// The constant that the only bound of the threads, `t < 32` or `t >= 32`, compares them with.
std::optional<std::int64_t> only_limit(const Atom& atom, clang::BinaryOperatorKind operation,
                                       const Threads& threads) {
  IndexForm thread;
  thread.terms[{atom}] = 1;
  if (threads.others || threads.bounds.size() != 1) return std::nullopt;
  const auto& bound = threads.bounds.front();
  if (!(bound.varying == thread) || bound.operation != operation || !bound.uniform.is_constant())
    return std::nullopt;
  return bound.uniform.constant();
}

// `if (t < 32) a[t] = …` and `if (t >= 32) … a[t - 32]`, where `steps` is -32.
bool halves_meet(const Atom& atom, std::int64_t steps, const Threads& lower, const Threads& upper) {
  const auto end = only_limit(atom, clang::BO_LT, lower);
  const auto begin = only_limit(atom, clang::BO_GE, upper);
  return end && begin && *begin >= *end && *begin + steps >= 0 && *begin + steps < *end;
}

// Whether neighbours a distance of `steps` threads apart take part in both accesses: element
// second(t) == first(t + steps).
bool both_take_part(const Atom& atom, std::int64_t steps, const Threads& first,
                    const Threads& second) {
  if ((all_take_part(first) && some_have_neighbours(atom, steps, second)) ||
      (all_take_part(second) && some_have_neighbours(atom, -steps, first)))
    return true;
  if (first.others || second.others || pins_any(first) || pins_any(second)) return false;
  IndexForm thread;
  thread.terms[{atom}] = 1;
  const auto known = [&](const Threads& threads) {
    return std::all_of(threads.bounds.begin(), threads.bounds.end(), [&](const ThreadBound& bound) {
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

}  // namespace

bool many_take_part(const Threads& threads) {
  return !threads.others && std::all_of(threads.bounds.begin(), threads.bounds.end(), is_by_size);
}

bool pins_any(const Threads& threads) {
  return std::any_of(threads.bounds.begin(), threads.bounds.end(), is_pinned);
}

bool pins_group(const ThreadBound& bound) {
  const auto atoms = bound.varying.atoms();
  return is_pinned(bound) && atoms.size() == 1 &&
         atoms.front().position == Position::in_threadgroup && atoms.front().text.empty();
}

bool is_plain_position(const IndexForm& varying) {
  return varying.terms.size() == 1 && varying.terms.begin()->second == 1 &&
         varying.terms.begin()->first.size() == 1;
}

Atom only_atom(const IndexForm& form) { return form.terms.begin()->first.front(); }

bool is_component(const Atom& atom) {
  return atom.position == Position::in_threadgroup && !atom.text.empty();
}

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

namespace {

// a[t] and a[t + 1]: whose element is the other's neighbour.
IndexRelation shifted(const IndexForm& first, const IndexForm& second, const Threads& first_threads,
                      const Threads& second_threads) {
  const auto distance = second - first;
  if (!distance.is_constant() || !first.is_fixed()) return IndexRelation::unknown;
  for (const auto& [product, count] : first.varying().terms) {
    if (product.size() != 1 || distance.constant() % count) continue;
    const auto steps = distance.constant() / count;
    if (halves_meet(product.front(), steps, first_threads, second_threads) ||
        halves_meet(product.front(), -steps, second_threads, first_threads))
      return IndexRelation::met;
    if (std::abs(steps) <= farthest_neighbour &&
        both_take_part(product.front(), steps, first_threads, second_threads))
      return IndexRelation::met;
  }
  return IndexRelation::unknown;
}

// `count * thread + first`, of one position and a constant.
struct Progression {
  Atom thread;
  std::int64_t count = 1;
  std::int64_t first = 0;
  IndexForm itself() const {
    IndexForm form;
    form.terms[{thread}] = 1;
    return form;
  }
};

std::optional<Progression> progression_of(const IndexForm& index) {
  const auto varying = index.varying();
  if (varying.terms.size() != 1 || varying.terms.begin()->first.size() != 1) return std::nullopt;
  Progression found{only_atom(varying), varying.terms.begin()->second, index.constant()};
  return found.thread.position == Position::none || found.count < 1 || found.first < 0
             ? std::nullopt
             : std::optional(std::move(found));
}

// a[t], by each thread, and a[1], by all or by another one.
bool crossed_at_constant(const Progression& own, std::int64_t common, const Threads& own_threads,
                         const Threads& common_threads) {
  const auto distance = common - own.first;
  if (distance < 0 || distance % own.count) return false;
  const auto owner = distance / own.count;
  const bool is_other = common_threads.bounds.size() == 1 &&
                        pins_group(common_threads.bounds.front()) &&
                        common_threads.bounds.front().operation == clang::BO_EQ &&
                        common_threads.bounds.front().uniform.is_constant() &&
                        common_threads.bounds.front().uniform.constant() != owner;
  if (!common_threads.bounds.empty() && !is_other) return false;
  const auto thread = own.itself();
  // t == c or t < c or t >= c may leave out just that element's thread.
  return owner < farthest_neighbour &&
         std::all_of(
             own_threads.bounds.begin(), own_threads.bounds.end(),
             [&](const ThreadBound& bound) {
               return bound.varying == thread
                          ? bound.operation == clang::BO_LT && bound.uniform.is_constant() &&
                                bound.uniform.constant() > owner
                          : bound.operation == clang::BO_EQ || bound.operation == clang::BO_LT;
             });
}

// Whether many threads write or read elements of their own: many of a group, or the first of each
// simdgroup, one element for each simdgroup.
bool many_have_own(const Atom& own, const Threads& threads) {
  return !threads.others &&
         std::all_of(threads.bounds.begin(), threads.bounds.end(), [&](const ThreadBound& bound) {
           const auto atoms = bound.varying.atoms();
           const bool picks_lane = own.position == Position::simdgroup && is_pinned(bound) &&
                                   atoms.size() == 1 && atoms.front().position == Position::lane;
           return picks_lane || is_by_size(bound);
         });
}

// Whether many threads, or one of the whole group, go over elements of others.
bool some_go_over(const Threads& threads) {
  return !threads.others &&
         std::all_of(threads.bounds.begin(), threads.bounds.end(),
                     [](const auto& bound) { return is_by_size(bound) || pins_group(bound); });
}

// What both indices add to the same terms, without constants: the row of a[y * 16 + x] and
// a[y * 16 + k].
IndexForm shared_terms(const IndexForm& a, const IndexForm& b) {
  IndexForm shared;
  for (const auto& [product, count] : a.terms)
    if (const auto other = b.terms.find(product);
        !product.empty() && other != b.terms.end() && other->second == count)
      shared.terms[product] = count;
  return shared;
}

// a[t], by each thread, and a[j] for the same or all j.
bool crossed_in_loop(const IndexForm& own, const IndexForm& common, const Threads& own_threads,
                     const Threads& common_threads) {
  const auto shared = shared_terms(own, common);
  const auto element = own - shared;
  auto counted = common - shared;
  counted.terms.erase(std::vector<Atom>{});
  const auto thread = progression_of(element);
  if (!shared.is_fixed() || !thread || thread->first != 0 || !element.uniform().terms.empty() ||
      counted.terms.size() != 1)
    return false;
  const auto& [product, count] = *counted.terms.begin();
  const bool loops = product.size() == 1 && count == thread->count && product.front().variable &&
                     !product.front().fixed && product.front().divergence == Divergence::none;
  // A row belongs to several threads only if they differ in the other component.
  const auto row = shared.varying().atoms();
  const bool is_row = std::all_of(row.begin(), row.end(), [&](const Atom& atom) {
    return is_component(atom) && is_component(thread->thread) &&
           atom.variable == thread->thread.variable && atom.text != thread->thread.text;
  });
  return loops && is_row && many_have_own(thread->thread, own_threads) &&
         some_go_over(common_threads) && (row.empty() || !pins_any(common_threads));
}

// a[t], by each thread, and a[0] or a[j], by each thread for the same or all j.
IndexRelation crossed(const IndexForm& own, const IndexForm& common, const Threads& own_threads,
                      const Threads& common_threads) {
  if (own_threads.others || common_threads.others || common.constant() < 0)
    return IndexRelation::unknown;
  const auto thread = progression_of(own);
  const bool meet =
      thread && own.uniform().terms.empty() && common.is_constant()
          ? crossed_at_constant(*thread, common.constant(), own_threads, common_threads)
          : crossed_in_loop(own, common, own_threads, common_threads);
  return meet ? IndexRelation::met : IndexRelation::unknown;
}

// a[y * 16 + x] and a[x * 16 + y].
bool transposed(const IndexForm& first, const IndexForm& second) {
  const auto one = first.varying(), other = second.varying();
  if (one.terms.size() != 2 || other.terms.size() != 2 || first - one != second - other ||
      !first.is_fixed())
    return false;
  const auto& [a, a_count] = *one.terms.begin();
  const auto& [b, b_count] = *one.terms.rbegin();
  if (a.size() != 1 || b.size() != 1 || a_count == b_count) return false;
  const auto of_a = other.terms.find(a), of_b = other.terms.find(b);
  const auto has_axis = [](const Atom& atom) {
    return is_component(atom) || (atom.position == Position::in_grid && !atom.text.empty());
  };
  return has_axis(a.front()) && has_axis(b.front()) && a.front().variable == b.front().variable &&
         of_a != other.terms.end() && of_b != other.terms.end() && of_a->second == b_count &&
         of_b->second == a_count;
}

// a[simdgroup], by the first lanes, and a[lane], by one simdgroup.
IndexRelation exchanged(const IndexForm& first, const IndexForm& second) {
  if (!is_plain_position(first.varying()) || !is_plain_position(second.varying()))
    return IndexRelation::unknown;
  if (first - first.varying() != second - second.varying() || first.constant() != 0 ||
      !first.is_fixed() || !second.is_fixed())
    return IndexRelation::unknown;
  const auto a = only_atom(first.varying()), b = only_atom(second.varying());
  const bool simdgroup_a = a.position == Position::simdgroup;
  const bool simdgroup_b = b.position == Position::simdgroup;
  const bool simdgroup_and_other = simdgroup_a != simdgroup_b &&
                                   (simdgroup_a ? b : a).position != Position::none &&
                                   (simdgroup_a ? b : a).position != Position::in_grid;
  return simdgroup_and_other || (is_component(a) && is_component(b) && a.variable == b.variable)
             ? IndexRelation::met
             : IndexRelation::unknown;
}

// a[t] and a[n - 1 - t], by each thread: the first one's element is the last one's.
IndexRelation reversed(const IndexForm& first, const IndexForm& second,
                       const Threads& first_threads, const Threads& second_threads) {
  const auto sum = first + second;
  if (!sum.varying().terms.empty() || !first.is_fixed() || !second.is_fixed())
    return IndexRelation::unknown;
  if (sum.is_constant() && sum.constant() < 1) return IndexRelation::unknown;
  const auto own = is_plain_position(first.varying()) ? first.varying() : second.varying();
  const bool by_thread =
      is_plain_position(own) && (only_atom(own).position == Position::in_threadgroup ||
                                 only_atom(own).position == Position::in_grid);
  // `if (t < n / 2)` in front of an exchange of both leaves the other half out.
  const bool all = !first_threads.others && first_threads.bounds.empty() &&
                   !second_threads.others && second_threads.bounds.empty();
  return by_thread && all ? IndexRelation::met : IndexRelation::unknown;
}

// a[t] and a[2 * t + 1]: the thread 1 of one is the thread 3 of the other.
bool spread_apart(const IndexForm& first, const IndexForm& second, const Threads& first_threads,
                  const Threads& second_threads) {
  const auto a = progression_of(first), b = progression_of(second);
  if (!a || !b || !(a->thread == b->thread) || a->count == b->count || a->first != 0 ||
      !first.uniform().terms.empty() || !second.uniform().terms.empty())
    return false;
  const auto many = [](const Threads& threads) {
    return !threads.others &&
           std::all_of(threads.bounds.begin(), threads.bounds.end(), [](const ThreadBound& bound) {
             return bound.operation == clang::BO_LT && !is_pinned(bound);
           });
  };
  return a->count == 1 && b->first <= 1 && many(first_threads) && many(second_threads);
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

}  // namespace

IndexRelation relation_of(const IndexForm& first_index, const IndexForm& second_index,
                          const Threads& first_threads, const Threads& second_threads,
                          const ThreadFlow& flow) {
  if (first_index == second_index)
    return first_index.is_fixed() ? IndexRelation::same : IndexRelation::unknown;
  const auto first = without_ring(first_index, flow), second = without_ring(second_index, flow);
  if (first == second) return IndexRelation::unknown;  // the same for some threads
  const bool first_varies = !first.varying().terms.empty();
  const bool second_varies = !second.varying().terms.empty();
  if (first_varies && second_varies) {
    if (first.varying() == second.varying())
      return shifted(first, second, first_threads, second_threads);
    const bool all = !first_threads.others && first_threads.bounds.empty() &&
                     !second_threads.others && second_threads.bounds.empty();
    if (exchanged(first, second) == IndexRelation::met || (all && transposed(first, second)) ||
        crossed_in_loop(first, second, first_threads, second_threads) ||
        crossed_in_loop(second, first, second_threads, first_threads) ||
        spread_apart(first, second, first_threads, second_threads) ||
        spread_apart(second, first, second_threads, first_threads))
      return IndexRelation::met;
    return reversed(first, second, first_threads, second_threads);
  }
  if (first_varies) return crossed(first, second, first_threads, second_threads);
  if (second_varies) return crossed(second, first, second_threads, first_threads);
  return IndexRelation::unknown;
}

}  // namespace msci
