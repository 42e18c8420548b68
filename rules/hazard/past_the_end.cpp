#include <clang/AST/ASTContext.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "lint/analysis/expressions.h"
#include "lint/analysis/indices/index_limits.h"
#include "lint/analysis/pointer_origin.h"
#include "lint/rule.h"

namespace msci {
namespace {

constexpr std::size_t most_accesses = 500;  // of a kernel

// An element of a buffer that a kernel accesses.
struct BufferAccess {
  const clang::ArraySubscriptExpr* place = nullptr;
  const clang::VarDecl* buffer = nullptr;
  bool of_floats = false;
  IndexForm index;
  IndexLimits limits;
};

std::vector<BufferAccess> buffer_accesses(const ThreadFlow& flow) {
  std::vector<BufferAccess> all;
  for (const auto* statement : flow.statements()) {
    const auto* place = llvm::dyn_cast<clang::ArraySubscriptExpr>(statement);
    if (!place || !place->getBase()->getType()->isPointerType()) continue;
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place->getBase()->IgnoreParenImpCasts());
    const auto* buffer = name ? llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl()) : nullptr;
    if (!buffer || !flow.is_fixed(buffer)) continue;
    const auto space = space_of(place->getType());
    if (space != Space::device && space != Space::constant) continue;
    all.push_back({place, buffer, place->getType()->hasFloatingRepresentation(),
                   index_form(place->getIdx(), flow), limits_at(*place, flow)});
  }
  return all;
}

bool changes(const clang::Stmt& part, const clang::VarDecl& variable) {
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&part);
  if (unary && unary->isIncrementDecrementOp() && root_variable(unary->getSubExpr()) == &variable)
    return true;
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&part);
  if (binary && binary->isAssignmentOp() && root_variable(binary->getLHS()) == &variable)
    return true;
  return std::any_of(part.child_begin(), part.child_end(),
                     [&](const clang::Stmt* child) { return child && changes(*child, variable); });
}

// Whether a number takes every value up to its limit: a position of a thread in the grid, or the
// counter of a loop around the place.
bool is_dense(const Atom& atom, const clang::Stmt& place, const ThreadFlow& flow) {
  if (atom.position == Position::in_grid) return atom.fixed;
  if (!atom.variable || !atom.variable->getInit()) return false;
  for (const clang::Stmt* at = &place; at; at = flow.parent(at)) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(at);
    if (!loop || !loop->getInit() || !flow.contains(loop->getInit(), atom.variable->getInit()))
      continue;
    const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
    return step && step->isIncrementOp() && root_variable(step->getSubExpr()) == atom.variable &&
           flow.contains(loop->getBody(), &place) && !changes(*loop->getBody(), *atom.variable);
  }
  return false;
}

// The count that a value may reach although it should stay below: `k <= n` is all that limits it.
std::optional<Atom> reached_count(const IndexForm& value, const BufferAccess& access) {
  const auto limits = access.limits.upper(value);
  if (limits.size() != 1) return std::nullopt;
  const auto count = single_atom(limits.front());
  return count && is_from_host(*count) ? count : std::nullopt;
}

const clang::Expr* condition_about(const Atom& atom, const BufferAccess& access) {
  for (const auto& limit : access.limits.all)
    if (limit.never_negative.terms.contains({atom})) return limit.condition;
  return nullptr;
}

std::string text_of(const Atom& atom) {
  if (!atom.variable) {
    const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(atom.expression);
    return member ? member->getMemberDecl()->getNameAsString() : std::string("the count");
  }
  const auto name = atom.variable->getNameAsString();
  return atom.text.empty() ? name : name + "." + atom.text;
}

const clang::VarDecl* variable_of(const clang::Expr* value) {
  const auto* name =
      value ? llvm::dyn_cast<clang::DeclRefExpr>(value->IgnoreParenImpCasts()) : nullptr;
  return name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
}

// `*p`, in each round of the loop; null where there is none.
const clang::Stmt* certain_load(const clang::ForStmt& loop, const clang::VarDecl& p,
                                const ThreadFlow& flow) {
  for (const auto* statement : flow.statements()) {
    const auto* load = llvm::dyn_cast<clang::UnaryOperator>(statement);
    if (!load || load->getOpcode() != clang::UO_Deref || variable_of(load->getSubExpr()) != &p ||
        !flow.contains(loop.getBody(), load))
      continue;
    const auto& guards = flow.guards(load);
    if (std::none_of(guards.begin(), guards.end(), [&](const Guard& guard) {
          return guard.condition != loop.getCond() && mentions(guard.condition, p);
        }))
      return load;
  }
  return nullptr;
}

// `for (p = x; p <= x + n; ++p) … *p …`.
void check_pointer_loop(const clang::ForStmt& loop, const ThreadFlow& flow, Reporter& report) {
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
  const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop.getInc());
  const auto* p = step && step->isIncrementOp() ? variable_of(step->getSubExpr()) : nullptr;
  if (!test || test->getOpcode() != clang::BO_LE || !p || variable_of(test->getLHS()) != p ||
      !p->getType()->isPointerType() || !p->getInit() || changes(*loop.getBody(), *p))
    return;
  const auto first = origin_of(*p->getInit(), flow), last = origin_of(*test->getRHS(), flow);
  const auto* load = certain_load(loop, *p, flow);
  if (!load || !last.memory || first.memory != last.memory) return;
  const auto& ast = flow.unit().ast();
  const auto is_count = [](const IndexForm& form) {
    const auto atom = single_atom(form);
    return (form.is_constant() && form.constant() > 0) || (atom && is_from_host(*atom));
  };
  if (const auto* array = ast.getAsConstantArrayType(last.memory->getType())) {
    const auto length = static_cast<std::int64_t>(array->getZExtSize());
    if (!last.offset.is_constant() || last.offset.constant() < length) return;
  } else if (!is_count(last.offset) && !is_count(last.offset - first.offset)) {
    return;
  }
  report(load->getSourceRange(),
         fmt::format("`{}` reaches the end, one element too far", p->getNameAsString()))
      .note(test->getSourceRange(), "this test includes the end");
}

class PastTheEnd {
 public:
  PastTheEnd(const ThreadFlow& flow, Reporter& report)
      : flow_(flow), report_(report), accesses_(buffer_accesses(flow)) {}

  void run() {
    if (accesses_.size() > most_accesses) return;  // each is compared with each
    for (const auto& access : accesses_)
      if (check_inclusive(access) || check_neighbour(access) || check_swapped(access) ||
          check_row_as_column(access))
        told_.insert(access.buffer);
  }

 private:
  bool is_told(const BufferAccess& access) const { return told_.contains(access.buffer); }

  // `x[row * n + k]` where `k <= n`, or `x[k]` where other accesses of the buffer stay below n.
  bool check_inclusive(const BufferAccess& access) {
    if (is_told(access) || access.index.constant() != 0) return false;
    for (const auto& k : access.index.atoms()) {
      const auto term = access.index.terms.find({k});
      if (term == access.index.terms.end() || term->second != 1) continue;
      const auto count = reached_count(form_of(k), access);
      if (!count || access.limits.may_limit(form_of(k), flow_) ||
          !is_dense(k, *access.place, flow_))
        continue;
      const bool is_row = is_row_of(access.index, k, *count);
      const auto* other = is_row ? nullptr : access_below(access, k, *count);
      if (!is_row && !other) continue;
      auto draft = report_(access.place->getSourceRange(),
                           fmt::format("`{}` reaches `{}`, one {} too far", text_of(k),
                                       text_of(*count), is_row ? "element of the row" : "element"));
      if (const auto* condition = condition_about(k, access))
        draft.note(condition->getSourceRange(), "this test includes the end");
      if (other) draft.note(other->place->getSourceRange(), "here the buffer ends before it");
      return true;
    }
    return false;
  }

  // Whether the index is `row * length + k`, and the row occurs nowhere else in it.
  static bool is_row_of(const IndexForm& index, const Atom& k, const Atom& length) {
    const auto has = [](const std::vector<Atom>& product, const Atom& atom) {
      return std::find(product.begin(), product.end(), atom) != product.end();
    };
    std::optional<Atom> row;
    for (const auto& [product, count] : index.terms) {
      if (count < 0) return false;
      if (product.size() > 1 && has(product, k)) return false;
      if (!has(product, length)) continue;
      if (product.size() != 2 || count != 1) return false;
      if (!row) row = product[0] == length ? product[1] : product[0];
    }
    return row && std::count_if(index.terms.begin(), index.terms.end(),
                                [&](const auto& term) { return has(term.first, *row); }) == 1;
  }

  // An access of the same numbers by a value that stays below the count. Buffers of integers may be
  // offsets, of which there is one more.
  const BufferAccess* access_below(const BufferAccess& access, const Atom& k, const Atom& count) {
    if (!access.of_floats || !(access.index == form_of(k))) return nullptr;
    for (const auto& other : accesses_) {
      const auto position = single_atom(other.index);
      if (other.buffer != access.buffer || !position) continue;
      const auto limits = other.limits.upper(other.index);
      if (std::any_of(limits.begin(), limits.end(), [&](const IndexForm& limit) {
            return limit == form_of(count) - constant_form(1);
          }))
        return &other;
    }
    return nullptr;
  }

  // `x[i + 1]` where only `i < n` holds, though `x[i - 1]` has a test of its own.
  bool check_neighbour(const BufferAccess& access) {
    if (is_told(access)) return false;
    for (const auto& other : accesses_) {
      if (other.buffer != access.buffer) continue;
      for (const auto& a : access.index.atoms())
        if (is_unguarded_twin(access, other, a)) return true;
    }
    return false;
  }

  bool is_unguarded_twin(const BufferAccess& access, const BufferAccess& other, const Atom& a) {
    if (a.position != Position::in_grid || !a.fixed) return false;
    const auto step = stride_of(access.index, a);
    if (step.terms.empty() || !(access.index - other.index == step + step)) return false;
    const auto position = form_of(a);
    const auto above = access.limits.upper(position);
    // One limit, which both have, and which lets the last position through.
    if (above.size() != 1 || other.limits.upper(position) != above ||
        !access.limits.lower(position).empty() || access.limits.may_limit(position, flow_))
      return false;
    const auto count = single_atom(above.front() + constant_form(1));
    const auto below = other.limits.lower(position);
    if (!count || !is_from_host(*count) || below.size() != 1 || !(below[0] == constant_form(1)))
      return false;
    // The access is for the neighbour of the position, not for one further on.
    if (!(access.index - step == without_steps(access.index, step))) return false;
    auto draft = report_(access.place->getSourceRange(),
                         fmt::format("the last `{}` has no neighbour here", text_of(a)));
    draft.note(other.place->getSourceRange(), "the neighbour on the other side has a test");
    return true;
  }

  // What the index grows by with the next position.
  static IndexForm stride_of(const IndexForm& index, const Atom& a) {
    IndexForm stride;
    for (const auto& [product, count] : index.terms) {
      auto rest = product;
      const auto found = std::find(rest.begin(), rest.end(), a);
      if (found == rest.end()) continue;
      rest.erase(found);
      stride.terms[rest] += count;
    }
    return stride;
  }

  // The index without any constant steps of that stride.
  static IndexForm without_steps(const IndexForm& index, const IndexForm& step) {
    auto around = index;
    for (const auto& [product, count] : step.terms) around.terms.erase(product);
    return around;
  }

  // `x[q.x * columns + q.y]` where `q.x < columns` and `q.y < rows`.
  bool check_swapped(const BufferAccess& access) {
    if (is_told(access) || access.index.terms.size() != 2) return false;
    for (const auto& row : access.index.atoms())
      for (const auto& column : access.index.atoms()) {
        if (row == column || row.variable != column.variable || row.text.empty() ||
            row.position != Position::in_grid || column.position != Position::in_grid)
          continue;
        const auto length = single_atom(stride_of(access.index, row));
        const auto rows = only_limit(access, row), columns = only_limit(access, column);
        if (!length || !rows || !columns || !(stride_of(access.index, column) == constant_form(1)))
          continue;
        if (!(*rows == *length) || *columns == *length) continue;
        report_(access.place->getSourceRange(),
                fmt::format("rows of `{}` elements, but `{}` goes up to `{}` and `{}` to `{}`",
                            text_of(*length), text_of(column), text_of(*columns), text_of(row),
                            text_of(*rows)));
        return true;
      }
    return false;
  }

  // `x[row * columns + row + k]` where `row < rows`, and `column + k < columns` for another number.
  bool check_row_as_column(const BufferAccess& access) {
    if (is_told(access)) return false;
    for (const auto& columns : access.index.atoms()) {
      if (!is_from_host(columns)) continue;
      const auto row = stride_of(access.index, columns);
      const auto step = access.index - row * form_of(columns) - row;
      if (row.varying().terms.empty() || !step.varying().terms.empty() || has_host_number(step) ||
          !is_below_another(access, row, columns))
        continue;
      const auto* test = test_of_column(access, row + step, columns);
      if (!test) continue;
      report_(access.place->getSourceRange(),
              fmt::format("takes the row for the column as well: nothing keeps it below `{}`",
                          text_of(columns)))
          .note(test->getSourceRange(), "this test is about another number");
      return true;
    }
    return false;
  }

  static bool has_host_number(const IndexForm& form) {
    const auto atoms = form.atoms();
    return std::any_of(atoms.begin(), atoms.end(), is_from_host);
  }

  // Whether a number from the host, but not the count, limits the value.
  static bool is_below_another(const BufferAccess& access, const IndexForm& value,
                               const Atom& count) {
    const auto above = access.limits.upper(value);
    return !above.empty() && std::all_of(above.begin(), above.end(), [&](const IndexForm& each) {
      const auto limit = single_atom(each + constant_form(1));
      return limit && is_from_host(*limit) && !(*limit == count);
    });
  }

  // The test that keeps another number than the value below the count.
  static const clang::Expr* test_of_column(const BufferAccess& access, const IndexForm& value,
                                           const Atom& count) {
    for (const auto& limit : access.limits.all) {
      const auto kept = form_of(count) - constant_form(1) - limit.never_negative;
      if (kept == value) return nullptr;
      const auto atoms = kept.atoms();
      const bool is_about = std::find(atoms.begin(), atoms.end(), count) == atoms.end();
      if (is_about && !kept.varying().terms.empty() && !has_host_number(kept))
        return limit.condition;
    }
    return nullptr;
  }

  // n, where `i < n` is all that limits the position.
  std::optional<Atom> only_limit(const BufferAccess& access, const Atom& a) const {
    const auto above = access.limits.upper(form_of(a));
    if (above.size() != 1 || access.limits.may_limit(form_of(a), flow_)) return std::nullopt;
    const auto count = single_atom(above.front() + constant_form(1));
    return count && is_from_host(*count) ? count : std::nullopt;
  }

  const ThreadFlow& flow_;
  Reporter& report_;
  const std::vector<BufferAccess> accesses_;
  std::set<const clang::VarDecl*> told_;
};

void check_past_the_end(const ThreadFlow& flow, Reporter& report) {
  PastTheEnd(flow, report).run();
  for (const auto* statement : flow.statements())
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement))
      check_pointer_loop(*loop, flow, report);
}

}  // namespace

extern constinit const Rule past_the_end{
    .check_flow = check_past_the_end,
};

}  // namespace msci
