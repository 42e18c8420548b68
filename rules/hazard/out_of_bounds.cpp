#include <clang/AST/ASTContext.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lint/analysis/bounds.h"
#include "lint/analysis/expressions.h"
#include "lint/analysis/indices/index_limits.h"
#include "lint/analysis/matchers.h"
#include "lint/analysis/pointer_origin.h"
#include "lint/proofs/likely_faults.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// Translators of other shading languages declare a buffer of any length as an array of one element.
bool is_of_any_length(const Diagnostic& diagnostic) {
  return diagnostic.message.find("[1]')") != std::string::npos &&
         diagnostic.message.find("device ") != std::string::npos;
}

bool is_of_compiler(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::warning && diagnostic.id == "array-bounds" &&
         !is_of_any_length(diagnostic);
}

DiagnosticMatch match_diagnostic(const Unit&, const Diagnostic& diagnostic, Finding&) {
  return is_of_compiler(diagnostic) ? DiagnosticMatch::finding : DiagnosticMatch::none;
}

bool is_kernels(const clang::ParmVarDecl& parameter, const Unit& unit) {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(parameter.getDeclContext());
  return function && unit.attribute(*function, "kernel");
}

// A kernel's pointer argument points to the first element that the kernel may use.
void check(const Unit& unit, Reporter& report) {
  const auto accesses =
      arraySubscriptExpr(hasBase(ignoringParenImpCasts(
                             declRefExpr(to(parmVarDecl(hasType(pointerType())).bind("memory"))))))
          .bind("access");
  for (const auto& found : match(accesses, unit)) {
    const auto* memory = found.getNodeAs<clang::ParmVarDecl>("memory");
    const auto* access = found.getNodeAs<clang::ArraySubscriptExpr>("access");
    const auto index = constant_of(access->getIdx(), unit.ast());
    if (!index || *index >= 0 || !is_kernels(*memory, unit)) continue;
    report(access->getSourceRange(), "lies before the first element of the buffer")
        .note(memory->getSourceRange(), "bound by the host");
  }
}

// The number of elements of the array that a subscript names.
std::optional<std::int64_t> length_of(const clang::ArraySubscriptExpr& access,
                                      const clang::ASTContext& ast) {
  const auto type = access.getBase()->IgnoreParenImpCasts()->getType();
  const auto* array = ast.getAsConstantArrayType(type);
  return array ? std::optional(array->getZExtSize()) : std::nullopt;
}

bool leaves(const clang::Stmt* statement) {
  if (llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt, clang::GotoStmt>(
          statement))
    return true;
  return std::any_of(statement->child_begin(), statement->child_end(),
                     [](const clang::Stmt* child) { return child && leaves(child); });
}

// `for (k = 0; k < 4; ++k)` around an access, if all rounds surely run and reach it.
const clang::ForStmt* certain_loop(const clang::VarDecl& counter, const clang::Stmt& access,
                                   const ThreadFlow& flow) {
  const clang::ForStmt* loop = nullptr;
  for (const clang::Stmt* at = &access; at && !loop; at = flow.parent(at))
    if (const auto* around = llvm::dyn_cast<clang::ForStmt>(at);
        around && around->getInit() && counter.getInit() &&
        flow.contains(around->getInit(), counter.getInit()))
      loop = around;
  if (!loop || !flow.contains(loop->getBody(), &access) || leaves(loop->getBody())) return nullptr;
  const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
  if (!step || !step->isIncrementOp()) return nullptr;
  for (const auto& guard : flow.guards(&access))
    if (guard.condition != loop->getCond() && flow.contains(loop, guard.condition)) return nullptr;
  return loop;
}

// The last value of a loop's counter.
std::optional<std::int64_t> last_of(const clang::ForStmt& loop, const clang::VarDecl& counter,
                                    const clang::ASTContext& ast) {
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
  if (!test || root_variable(test->getLHS()) != &counter) return std::nullopt;
  const auto limit = constant_of(test->getRHS(), ast);
  const auto first = constant_of(counter.getInit(), ast);
  if (!limit || !first) return std::nullopt;
  const auto last = test->getOpcode() == clang::BO_LT   ? std::optional(*limit - 1)
                    : test->getOpcode() == clang::BO_LE ? limit
                                                        : std::nullopt;
  return last && *last >= *first ? last : std::nullopt;
}

// The largest value that an atom surely has in some thread or round: of a loop's counter, and of
// `thread % 8`, as far as a simdgroup goes.
std::optional<std::int64_t> largest(const Atom& atom, const clang::Stmt& access,
                                    const ThreadFlow& flow) {
  const auto& ast = flow.unit().ast();
  if (atom.variable && !atom.fixed) {
    const auto* loop = certain_loop(*atom.variable, access, flow);
    return loop ? last_of(*loop, *atom.variable, ast) : std::nullopt;
  }
  const auto* made = atom.variable ? flow.only_value(atom.variable) : atom.expression;
  const auto* rest =
      made ? llvm::dyn_cast<clang::BinaryOperator>(made->IgnoreParenImpCasts()) : nullptr;
  if (!rest || rest->getOpcode() != clang::BO_Rem) return std::nullopt;
  const auto whole = index_form(rest->getLHS(), flow).atoms();
  const auto size = constant_of(rest->getRHS(), ast);
  const auto threads = threads_left_at(&access, flow);
  const bool all = !threads.others && threads.bounds.empty();
  return all && size && *size > 0 && *size <= 32 && whole.size() == 1 &&
                 whole.front().position == Position::in_threadgroup && whole.front().text.empty()
             ? std::optional(*size - 1)
             : std::nullopt;
}

// Whether it has reported the access; likewise below.
bool check_range(const clang::ArraySubscriptExpr& access, const ThreadFlow& flow,
                 Reporter& report) {
  const auto length = length_of(access, flow.unit().ast());
  const auto index = index_form(access.getIdx(), flow);
  const auto atoms = index.atoms();
  if (!length || atoms.size() != 1 || index.terms.size() > 2 ||
      !index.terms.contains({atoms.front()}) || index.terms.at({atoms.front()}) != 1)
    return false;
  const auto last = largest(atoms.front(), access, flow);
  if (!last || *last + index.constant() < *length) return false;
  report(access.getSourceRange(),
         fmt::format("reaches element {} of an array of {}", *last + index.constant(), *length));
  return true;
}

bool is_loaded(const clang::Stmt* part, const ThreadFlow& flow, int depth = 0) {
  constexpr int deepest = 16;
  if (!part || depth == deepest) return false;
  if (const auto* access = llvm::dyn_cast<clang::ArraySubscriptExpr>(part);
      access && access->getBase()->getType()->isPointerType())
    return true;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
      return is_loaded(flow.only_value(variable), flow, depth + 1);
  return std::any_of(part->child_begin(), part->child_end(),
                     [&](const auto* child) { return is_loaded(child, flow, depth + 1); });
}

// The largest index that the kernel lets data have: `min(u[t], 8u)`, `u[t] % 9`.
std::optional<std::int64_t> allowed(const clang::Expr& index, const ThreadFlow& flow) {
  const auto& ast = flow.unit().ast();
  const auto* value = index.IgnoreParenImpCasts();
  if (const auto* rest = llvm::dyn_cast<clang::BinaryOperator>(value)) {
    const auto size = constant_of(rest->getRHS(), ast);
    return rest->getOpcode() == clang::BO_Rem && size && is_loaded(rest->getLHS(), flow)
               ? std::optional(*size - 1)
               : std::nullopt;
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(value);
  const auto name = call ? metal_function(*call, flow.unit()) : std::string_view();
  const bool is_limited =
      (name == "min" && call->getNumArgs() == 2) || (name == "clamp" && call->getNumArgs() == 3);
  return is_limited && is_loaded(call->getArg(0), flow)
             ? constant_of(call->getArg(call->getNumArgs() - 1), ast)
             : std::nullopt;
}

// A limit for data that lies behind the end of the array.
bool check_limit(const clang::ArraySubscriptExpr& access, const ThreadFlow& flow,
                 Reporter& report) {
  const auto length = length_of(access, flow.unit().ast());
  const auto index = index_form(access.getIdx(), flow);
  const auto atoms = index.atoms();
  if (!length || atoms.size() != 1 || !index.terms.contains({atoms.front()}) ||
      index.terms.at({atoms.front()}) != 1)
    return false;
  const auto& atom = atoms.front();
  const auto* value = atom.variable ? flow.only_value(atom.variable) : atom.expression;
  const auto most = value ? allowed(*value, flow) : std::nullopt;
  if (!most || *most + index.constant() < *length) return false;
  const auto limits = limits_at(access, flow);
  IndexForm whole;
  whole.terms[{atom}] = 1;
  if (!limits.upper(whole).empty() || limits.may_limit(whole, flow)) return false;
  report(access.getSourceRange(),
         fmt::format("may reach element {} of an array of {}", *most + index.constant(), *length));
  return true;
}

// `line[int(t) - 1]`, which no condition keeps from the first thread.
bool check_first_thread(const clang::ArraySubscriptExpr& access, const ThreadFlow& flow,
                        Reporter& report) {
  const auto origin = origin_of(*access.getBase(), flow);
  const auto index = index_form(access.getIdx(), flow) + origin.offset;
  const auto varying = index.varying();
  if (index.constant() >= 0 || index.terms.size() != 2 || varying.terms.size() != 1 ||
      varying.terms.begin()->first.size() != 1)
    return false;
  const auto& atom = varying.terms.begin()->first.front();
  if (atom.position == Position::none || atom.position == Position::threadgroup) return false;
  const auto threads = threads_left_at(&access, flow);
  const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(origin.memory);
  const bool begins_there =
      length_of(access, flow.unit().ast()) ||
      (parameter && flow.is_fixed(parameter) && is_kernels(*parameter, flow.unit()));
  if (threads.others || !threads.bounds.empty() || !begins_there) return false;
  report(access.getSourceRange(), "lies before the first element for the first thread");
  return true;
}

// The lines of what it reports.
std::set<unsigned> check_ranges(const ThreadFlow& flow, Reporter& report) {
  std::set<unsigned> lines;
  for (const auto* statement : flow.statements())
    if (const auto* access = llvm::dyn_cast<clang::ArraySubscriptExpr>(statement)) {
      const bool is_behind =
          check_range(*access, flow, report) || check_limit(*access, flow, report);
      if (check_first_thread(*access, flow, report) || is_behind)
        lines.insert(flow.unit().locate(access->getSourceRange()).range.begin.line);
    }
  return lines;
}

// What neither the compiler nor a pattern has found.
void check_kernel(const clang::FunctionDecl& kernel, const Unit& unit, Reporter& report) {
  const auto* flow = thread_flow(kernel, unit);
  auto lines = flow ? check_ranges(*flow, report) : std::set<unsigned>();
  for (const auto& diagnostic : unit.diagnostics())
    if (is_of_compiler(diagnostic)) lines.insert(diagnostic.place.range.begin.line);
  for (const auto& fault : likely_faults(kernel, unit, report.contract())) {
    if (fault.subject != ProofSubject::bounds || lines.contains(fault.first.range.begin.line))
      continue;
    const auto of = fault.in_threadgroup ? fmt::format(" `{}`", fault.object) : "";
    report(fault.first, fmt::format("lies outside of the array{}", of))
        .note(fault.first, "for " + fault.threads);
  }
}

}  // namespace

extern constinit const Rule out_of_bounds{
    .match_diagnostic = match_diagnostic,
    .check = check,
    .check_kernel = check_kernel,
    .asks_proofs = true,
};

}  // namespace msci
