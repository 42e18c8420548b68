#include <clang/AST/ASTContext.h>

#include <algorithm>

#include "lint/analysis/sharing.h"
#include "lint/rule.h"

namespace msci {
namespace {

constexpr int most_definitions = 6;

// `for (i = thread; i < n; i += threads)`: the threads of a threadgroup share the elements.
struct SharedLoop {
  const clang::ForStmt* loop = nullptr;
  const clang::VarDecl* variable = nullptr;
  std::string component;  // of the positions: "x"; empty for numbers
};

std::optional<Atom> only_atom(const IndexForm& form) {
  const auto atoms = form.atoms();
  if (form.terms.size() != 1 || form.terms.begin()->second != 1 || atoms.size() != 1)
    return std::nullopt;
  return atoms.front();
}

std::optional<SharedLoop> as_shared_loop(const clang::Stmt& statement, const ThreadFlow& flow) {
  const auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement);
  const auto* step = loop ? llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc()) : nullptr;
  if (!step || step->getOpcode() != clang::BO_AddAssign) return std::nullopt;
  const auto* variable = root_variable(step->getLHS());
  if (!variable || !variable->getInit() || !flow.contains(loop->getInit(), variable->getInit()))
    return std::nullopt;
  const auto thread = only_atom(index_form(variable->getInit(), flow));
  const auto threads = only_atom(index_form(step->getRHS(), flow));
  if (!thread || thread->position != Position::in_threadgroup || !threads || !threads->variable ||
      !flow.unit().attribute(*threads->variable, "threads_per_threadgroup") ||
      thread->text != threads->text)
    return std::nullopt;
  return SharedLoop{loop, variable, thread->text};
}

bool is_component(const clang::Expr& vector, const std::string& name) {
  const auto* element = llvm::dyn_cast<clang::ExtVectorElementExpr>(&vector);
  return element && element->getAccessor().getName() == name;
}

// Whether a value is chosen by the thread's own position in the grid. A division or a difference
// may make the position of the threadgroup of it.
bool depends_on_grid(const clang::Stmt* part, const std::string& component, const ThreadFlow& flow,
                     int depth) {
  if (!part || depth > most_definitions) return false;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(part);
      binary && binary->getOpcode() != clang::BO_Add && binary->getOpcode() != clang::BO_Mul)
    return false;
  if (const auto* element = llvm::dyn_cast<clang::ExtVectorElementExpr>(part)) {
    const auto* base = root_variable(element->getBase());
    if (base && flow.position(base) == Position::in_grid) return is_component(*element, component);
  }
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (!variable) return false;
    if (flow.position(variable) == Position::in_grid) return component.empty();
    return depends_on_grid(flow.only_value(variable), component, flow, depth + 1);
  }
  return std::any_of(part->child_begin(), part->child_end(), [&](const clang::Stmt* child) {
    return depends_on_grid(child, component, flow, depth);
  });
}

// `position * n + i` or `rows[position] + i`.
bool has_row_of_thread(const IndexForm& index, const SharedLoop& shared, const ThreadFlow& flow) {
  bool is_walked = false, has_row = false;
  for (const auto& [product, count] : index.terms)
    for (const auto& atom : product) {
      if (atom.position == Position::in_threadgroup) return false;
      if (atom.variable == shared.variable) is_walked = true;
      if (atom.position == Position::in_grid)
        has_row |= atom.text == shared.component && (product.size() > 1 || count > 1);
      else if (atom.expression)
        has_row |= depends_on_grid(atom.expression, shared.component, flow, 0);
      else if (atom.variable && atom.variable != shared.variable)
        has_row |= depends_on_grid(flow.only_value(atom.variable), shared.component, flow, 0);
    }
  return is_walked && has_row;
}

void check_grid_position_as_group(const ThreadFlow& flow, Reporter& report) {
  std::optional<SharedAccesses> accesses;
  for (const auto* statement : flow.statements()) {
    const auto shared = as_shared_loop(*statement, flow);
    if (!shared) continue;
    if (!accesses) accesses = accesses_in(flow, Space::device);
    const auto& all = accesses->all;
    const auto store = std::find_if(all.begin(), all.end(), [&](const SharedAccess& access) {
      return access.writes && access.indices.size() == 1 &&
             flow.contains(shared->loop, access.when) &&
             has_row_of_thread(access.indices.front(), *shared, flow);
    });
    if (store == all.end()) continue;
    report(store->place->getSourceRange(),
           "each thread stores only its share of a row that no other thread works on")
        .note(shared->loop->getInc()->getSourceRange(),
              "the threads of a threadgroup share the elements of this loop, so its row should "
              "depend on threadgroup_position_in_grid");
  }
}

}  // namespace

extern constinit const Rule grid_position_as_group{
    .check_flow = check_grid_position_as_group,
};

}  // namespace msci
