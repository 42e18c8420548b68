#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "lint/analysis/expressions.h"
#include "lint/analysis/indices/index_limits.h"
#include "lint/rule.h"

namespace msci {
namespace {

// A number that the kernel keeps below a count from the host, at one place.
struct KeptBelow {
  IndexForm value;
  Atom count;
  const clang::Expr* place = nullptr;
  bool is_clamped = false;                  // by min(), rather than by a test
  const clang::Stmt* where = nullptr;       // its conditions are those there
  std::set<const clang::Expr*> conditions;  // that hold there
};

struct Element {
  const clang::ArraySubscriptExpr* place = nullptr;
  IndexForm index;
  IndexLimits limits;
  bool is_stored = false;
};

bool has_atom(const IndexForm& form, const Atom& atom) {
  const auto atoms = form.atoms();
  return std::find(atoms.begin(), atoms.end(), atom) != atoms.end();
}

bool is_counter(const Atom& atom) { return !atom.variable && !atom.expression; }

bool has_counter(const IndexForm& form) {
  const auto atoms = form.atoms();
  return std::any_of(atoms.begin(), atoms.end(), is_counter);
}

class PartialGuards {
 public:
  PartialGuards(const ThreadFlow& flow, Reporter& report) : flow_(flow), report_(report) {
    for (const auto* statement : flow.statements())
      if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) note_counter(*loop);
    for (const auto* statement : flow.statements()) {
      if (const auto* access = llvm::dyn_cast<clang::ArraySubscriptExpr>(statement)) note(*access);
      if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) note_clamp(*call);
    }
    for (const auto& element : elements_) note_tests(element);
  }

  void run() {
    constexpr std::size_t most = 500;  // each is compared with each
    if (elements_.size() > most || std::max(kept_.size(), rows_.size()) > most) return;
    for (const auto& element : elements_) {
      if (check_row(element)) continue;
      for (const auto& kept : kept_)
        if (is_forgotten(element, kept)) {
          report_(
              element.place->getSourceRange(),
              "may lie behind the end: the kernel keeps the same number below a size elsewhere, "
              "but not here")
              .note(kept.place->getSourceRange(), "kept below it here");
          break;
        }
    }
  }

 private:
  // `for (k = 0; k < 4; ++k)`: two such counters take the same numbers.
  void note_counter(const clang::ForStmt& loop) {
    const auto& ast = flow_.unit().ast();
    const auto* start = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
    const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
    const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop.getInc());
    if (!start || !start->isSingleDecl() || !step || !step->isIncrementOp()) return;
    const auto* counter = llvm::dyn_cast<clang::VarDecl>(start->getSingleDecl());
    while (test && test->getOpcode() == clang::BO_LAnd)
      test = llvm::dyn_cast<clang::BinaryOperator>(test->getLHS()->IgnoreParenImpCasts());
    if (!counter || !test || test->getOpcode() != clang::BO_LT) return;
    const auto first = constant_of(counter->getInit(), ast);
    const auto end = constant_of(test->getRHS(), ast);
    if (first && end && root_variable(test->getLHS()) == counter)
      counters_[counter] = {*first, *end};
  }

  // The form with the range of each counter in its place.
  IndexForm canonical(const IndexForm& form) const {
    IndexForm all;
    for (const auto& [product, count] : form.terms) {
      auto atoms = product;
      for (auto& atom : atoms) {
        const auto range = counters_.find(atom.variable);
        if (atom.variable && range != counters_.end())
          atom = {.text = std::to_string(range->second.first) + " to " +
                          std::to_string(range->second.second)};
      }
      std::sort(atoms.begin(), atoms.end());
      all.terms[atoms] += count;
    }
    return all;
  }

  void note(const clang::ArraySubscriptExpr& access) {
    const auto space = space_of(access.getType());
    if (!access.getBase()->getType()->isPointerType() ||
        (space != Space::device && space != Space::constant))
      return;
    const clang::Stmt* at = &access;
    const auto* around = flow_.parent(at);
    while (around && llvm::isa<clang::ParenExpr>(around))
      at = std::exchange(around, flow_.parent(around));
    const auto* store = llvm::dyn_cast_or_null<clang::BinaryOperator>(around);
    elements_.push_back({&access, canonical(index_form(access.getIdx(), flow_)),
                         limits_at(access, flow_),
                         store && store->isAssignmentOp() && store->getLHS() == at});
  }

  // `min(i, n - 1)`.
  void note_clamp(const clang::CallExpr& call) {
    if (metal_function(call, flow_.unit()) != "min" || call.getNumArgs() != 2) return;
    for (const unsigned i : {0U, 1U}) {
      const auto count = single_atom(index_form(call.getArg(1 - i), flow_) + constant_form(1));
      const auto value = canonical(index_form(call.getArg(i), flow_));
      if (!count || !is_from_host(*count) || value.varying().terms.empty()) continue;
      kept_.push_back({value, *count, &call, true, &call, conditions_of(limits_at(call, flow_))});
    }
  }

  // `i + k < n` around an access, and `row < rows`.
  void note_tests(const Element& element) {
    for (const auto& limit : element.limits.all)
      for (const auto& atom : limit.never_negative.atoms()) {
        if (!is_from_host(atom)) continue;
        const auto value = canonical(form_of(atom) - constant_form(1) - limit.never_negative);
        if (has_atom(value, atom) || value.varying().terms.empty()) continue;
        auto conditions = conditions_of(element.limits);
        conditions.erase(limit.condition);
        const KeptBelow kept{value, atom,          limit.condition,
                             false, element.place, std::move(conditions)};
        rows_.push_back(kept);
        if (has_counter(value) && value.terms.size() > 1) kept_.push_back(kept);
      }
  }

  static std::set<const clang::Expr*> conditions_of(const IndexLimits& limits) {
    std::set<const clang::Expr*> all(limits.others.begin(), limits.others.end());
    for (const auto& limit : limits.all) all.insert(limit.condition);
    return all;
  }

  // Whether a branch has the two on different ways.
  bool are_apart(const Element& element, const KeptBelow& kept) const {
    const auto& there = flow_.guards(kept.where);
    return std::ranges::any_of(flow_.guards(element.place), [&](const Guard& here) {
      return std::ranges::any_of(there, [&](const Guard& other) {
        return here.condition == other.condition && here.taken != other.taken;
      });
    });
  }

  // Whether the element lies at that number, or there in a row of `count` elements, and no
  // condition of its own may keep it below.
  bool is_forgotten(const Element& element, const KeptBelow& kept) const {
    if (kept.is_clamped && !element.is_stored && !has_counter(kept.value)) return false;
    const auto rest = element.index - kept.value;
    if (std::any_of(rest.terms.begin(), rest.terms.end(), [&](const auto& term) {
          return std::find(term.first.begin(), term.first.end(), kept.count) == term.first.end();
        }))
      return false;
    if (are_apart(element, kept)) return false;
    if (std::any_of(element.limits.others.begin(), element.limits.others.end(),
                    [&](const auto* each) { return !kept.conditions.contains(each); }))
      return false;
    const auto kept_there = form_of(kept.count) - constant_form(1) - kept.value;
    return std::none_of(
        element.limits.all.begin(), element.limits.all.end(), [&](const auto& each) {
          return canonical(each.never_negative) == kept_there ||
                 (!kept.conditions.contains(each.condition) && may_keep(each, kept));
        });
  }

  // ---- rows that a test of the columns limits

  // `if (row < left_columns) … x[(first + row) * columns + …]`, where `first + row < rows` holds
  // elsewhere.
  bool check_row(const Element& element) {
    for (const auto& kept : rows_)
      if (const auto* test = test_by_length(element, kept)) {
        report_(element.place->getSourceRange(),
                "may lie behind the end: the number of the row is compared with the length of a "
                "row here, and with the number of rows elsewhere")
            .note(test->getSourceRange(), "compared with what is left of a row here")
            .note(kept.place->getSourceRange(), "compared with the number of rows here");
        return true;
      }
    return false;
  }

  // The condition that limits the row by what is left of its length; null where another condition
  // may keep it below the number of rows, or none is about it.
  const clang::Expr* test_by_length(const Element& element, const KeptBelow& kept) const {
    const auto length = length_of_rows(element.index, kept);
    if (!length || element.limits.may_limit(kept.value, flow_) || are_apart(element, kept))
      return nullptr;
    const clang::Expr* test = nullptr;
    for (const auto& limit : element.limits.all) {
      const auto form = canonical(limit.never_negative);
      const auto atoms = form.atoms();
      if (has_atom(form, kept.count)) return nullptr;
      if (std::ranges::none_of(atoms, [&](const Atom& atom) {
            return !is_counter(atom) && has_atom(kept.value, atom);
          }))
        continue;
      std::vector<Atom> counts;
      for (const auto& atom : atoms)
        if (!has_atom(kept.value, atom)) add_counts(atom, counts);
      if (std::ranges::find(counts, kept.count) != counts.end() ||
          std::ranges::find(counts, *length) == counts.end())
        return nullptr;
      test = limit.condition;
    }
    return test;
  }

  // The number that the row is multiplied with in the index.
  static std::optional<Atom> length_of_rows(const IndexForm& index, const KeptBelow& kept) {
    for (const auto& length : index.atoms()) {
      if (is_counter(length) || !is_from_host(length) || length == kept.count) continue;
      IndexForm row;
      for (const auto& [product, count] : index.terms) {
        auto rest = product;
        const auto found = std::ranges::find(rest, length);
        if (found == rest.end()) continue;
        rest.erase(found);
        row.terms[rest] += count;
      }
      if (row == kept.value) return length;
    }
    return std::nullopt;
  }

  // The numbers of the host that a limit is computed from: `rows` of `min(16, rows - first)`.
  void add_counts(const Atom& atom, std::vector<Atom>& counts) const {
    if (is_counter(atom)) return;
    if (is_from_host(atom)) return counts.push_back(atom);
    if (atom.variable)
      add_counts(definition_of(atom), counts, 0);
    else
      add_counts(atom.expression, counts, 0);
  }
  void add_counts(const clang::Stmt* part, std::vector<Atom>& counts, unsigned depth) const {
    constexpr unsigned deepest = 12;
    if (!part || depth == deepest) return;
    const auto* e = llvm::dyn_cast<clang::Expr>(part);
    if (e && llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(e) && e->getType()->isIntegerType()) {
      if (const auto atom = single_atom(index_form(e, flow_)); atom && is_from_host(*atom))
        return counts.push_back(*atom);
      if (const auto* variable = root_variable(e); llvm::isa<clang::DeclRefExpr>(e) && variable)
        return add_counts(flow_.only_value(variable), counts, depth + 1);
    }
    for (const auto* child : part->children()) add_counts(child, counts, depth + 1);
  }

  // What a variable is set to; of a component of `short2(a, b)`, its part.
  const clang::Expr* definition_of(const Atom& atom) const {
    const auto* value = flow_.only_value(atom.variable);
    const auto* call =
        value ? llvm::dyn_cast<clang::CallExpr>(value->IgnoreUnlessSpelledInSource()) : nullptr;
    if (!call || atom.text.empty()) return value;
    const auto component = std::string_view("xyzw").find(atom.text);
    return component < call->getNumArgs() && call->getNumArgs() > 1 ? call->getArg(component)
                                                                    : value;
  }

  // ----

  // Whether a condition is about more than the counters of loops.
  bool may_keep(const IndexLimit& limit, const KeptBelow& kept) const {
    const auto form = canonical(limit.never_negative);
    const auto atoms = form.atoms();
    return std::any_of(atoms.begin(), atoms.end(), [&](const Atom& atom) {
      return atom == kept.count || (!is_counter(atom) && has_atom(kept.value, atom));
    });
  }

  const ThreadFlow& flow_;
  Reporter& report_;
  std::map<const clang::VarDecl*, std::pair<std::int64_t, std::int64_t>> counters_;
  std::vector<Element> elements_;
  std::vector<KeptBelow> kept_;
  std::vector<KeptBelow> rows_;  // these, and those without a counter
};

}  // namespace

extern constinit const Rule partial_guard{
    .check_flow = [](const ThreadFlow& flow,
                     Reporter& report) { PartialGuards(flow, report).run(); },
};

}  // namespace msci
