// Whether two accesses meet at one element, by the patterns of index and control flow that decide
// it.
#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <set>

#include "lint/analysis/sharing/index_relation.h"

namespace msci {
namespace {

// Elements that a thread looks up, other ones each round, in an array that all have filled
// together.
bool looks_up(const IndexForm& index) {
  const auto atoms = index.atoms();
  // Its own position and what it counts in a loop: the surroundings of its element.
  const bool around = is_plain_position(index.varying()) && index.constant() == 0 &&
                      index.uniform().terms.size() == 1;
  // A row of its own: 4 * t + k.
  const auto varying = index.varying();
  const bool has_row = varying.terms.size() == 1 && varying.terms.begin()->first.size() == 1 &&
                       varying.terms.begin()->second > 1 &&
                       only_atom(varying).position == Position::in_threadgroup;
  return !index.varying().terms.empty() &&
         (around || has_row ||
          std::none_of(atoms.begin(), atoms.end(),
                       [](const Atom& atom) { return atom.position != Position::none; })) &&
         std::any_of(atoms.begin(), atoms.end(), [](const Atom& atom) {
           return !atom.fixed && atom.divergence == Divergence::none;
         });
}

// An array that the threads share out among them to fill it, and in which each looks things up.
bool looked_up(const SharedAccess& first, const SharedAccess& second, const Threads& first_threads,
               const Threads& second_threads, const ThreadFlow& flow) {
  // The loop's own bound is the one condition of the sharing.
  const auto meet = [&](const SharedAccess& sharer, const Threads& sharing,
                        const SharedAccess& other, const Threads& looking) {
    return !sharing.others && sharing.bounds.size() == 1 && !looking.others &&
           looking.bounds.empty() && shares_out(sharer.indices.front(), sharer, flow) &&
           looks_up(other.indices.front());
  };
  if (first.writes == second.writes) return false;
  const bool filled = first.writes ? meet(first, first_threads, second, second_threads)
                                   : meet(second, second_threads, first, first_threads);
  // Rows that each thread fills, and that all share out among them to read.
  const auto has_own_row = [](const SharedAccess& access) {
    return access.indices.front().varying().terms.size() == 1 &&
           access.indices.front().varying().terms.begin()->second > 1;
  };
  return filled ||
         (first.writes ? has_own_row(first) && meet(second, second_threads, first, first_threads)
                       : has_own_row(second) && meet(first, first_threads, second, second_threads));
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
bool is_upper(const ThreadBound& bound) {
  return bound.operation == clang::BO_LT || bound.operation == clang::BO_LE;
}

bool is_lower(const ThreadBound& bound) {
  return bound.operation == clang::BO_GT || bound.operation == clang::BO_GE;
}

// Whether a loop around the access adds more to the distance than 1 each round: `base += threads`
// goes from block to block, so that no thread meets another one's element.
bool goes_by_blocks(const IndexForm& distance, const SharedAccess& access, const ThreadFlow& flow) {
  for (const clang::Stmt* at = access.when; at; at = flow.parent(at)) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(at);
    const auto* step =
        loop ? llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc()) : nullptr;
    if (step && step->getOpcode() == clang::BO_AddAssign &&
        root_variable(step->getLHS()) == only_atom(distance).variable)
      return true;
  }
  return false;
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
      distance.is_fixed() || goes_by_blocks(distance, reader, flow))
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
           std::all_of(threads.bounds.begin(), threads.bounds.end(), [](const ThreadBound& bound) {
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
bool meet_at_one_element(const SharedAccess& first, const Threads& first_threads,
                         const Threads& second_threads) {
  for (const auto& index : first.indices)
    if (!index.varying().terms.empty()) return false;
  const auto& writer = first.writes ? first_threads : second_threads;
  const auto& reader = first.writes ? second_threads : first_threads;
  if (reader.others || !reader.bounds.empty()) return false;
  // Data choose the threads that write: `if (x[t] > 1) found = 1`, which all threads then read.
  return writer.others || is_single_thread(writer);
}

// One simdgroup or row stores by lane or column what another one reads: `if (s == 0) a[lane] = …`
// and `if (s == 1) … a[lane]`.
bool handed_over(const SharedAccess& first, const SharedAccess& second,
                 const Threads& first_threads, const Threads& second_threads) {
  if (first.writes == second.writes || first.indices != second.indices || first.indices.empty() ||
      first_threads.others || second_threads.others || first_threads.bounds.size() != 1 ||
      second_threads.bounds.size() != 1)
    return false;
  const auto& one = first_threads.bounds.front();
  const auto& other = second_threads.bounds.front();
  const auto atoms = one.varying.atoms();
  if (!(one.varying == other.varying) || atoms.size() != 1 || !is_pinned(one) ||
      !is_pinned(other) || !one.uniform.is_constant() || !other.uniform.is_constant() ||
      one.uniform == other.uniform)
    return false;
  const auto& group = atoms.front();
  return std::all_of(first.indices.begin(), first.indices.end(), [&](const IndexForm& index) {
    const auto parts = index.varying().atoms();
    return index.is_fixed() && std::all_of(parts.begin(), parts.end(), [&](const Atom& part) {
             return group.position == Position::simdgroup
                        ? part.position == Position::lane
                        : is_component(group) && part.variable == group.variable &&
                              part.text != group.text;
           });
  });
}

}  // namespace

Threads threads_of(const SharedAccess& access, const ThreadFlow& flow) {
  auto threads = threads_at(access.when, flow);
  threads.others = threads.others || access.within.others;
  threads.bounds.insert(threads.bounds.end(), access.within.bounds.begin(),
                        access.within.bounds.end());
  return threads;
}

bool is_single_thread(const Threads& threads) {
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

bool collide(const SharedAccess& first, const SharedAccess& second, const ThreadFlow& flow) {
  if (first.memory != second.memory || !(first.writes || second.writes)) return false;
  if (first.field && second.field && first.field != second.field) return false;
  if (first.atomic && second.atomic) return false;
  const auto first_threads = threads_of(first, flow);
  const auto second_threads = threads_of(second, flow);
  const auto dimensions = std::min(first.indices.size(), second.indices.size());
  if (handed_over(first, second, first_threads, second_threads)) return true;
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
        relation_of(first.indices[i], second.indices[i], first_threads, second_threads, flow);
    if (each == IndexRelation::unknown) return false;
    met = met || each == IndexRelation::met;
  }
  if (met) return true;
  return first.writes != second.writes && meet_at_one_element(first, first_threads, second_threads);
}

}  // namespace msci
