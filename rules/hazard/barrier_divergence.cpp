#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/thread_flow.h"
#include "lint/analysis/indices/index_limits.h"
#include "lint/proofs/likely_faults.h"
#include "lint/proofs/plan_proofs.h"
#include "lint/rule.h"

namespace msci {
namespace {

// A place that all threads of a group must reach together.
struct Meeting {
  const clang::CallExpr* call = nullptr;
  Divergence least = Divergence::none;  // the difference among threads that must not lead here
  std::string_view what;
  bool is_barrier = true;
};

std::vector<Meeting> meetings_in(const ThreadFlow& flow) {
  std::vector<Meeting> meetings;
  for (const auto& barrier : flow.barriers()) {
    if (barrier.whole_threadgroup)
      meetings.push_back({barrier.call, Divergence::simdgroup,
                          "only some threads of the threadgroup reach this barrier"});
    else
      meetings.push_back({barrier.call, Divergence::thread,
                          "only some threads of the simdgroup reach this barrier"});
  }
  for (const auto* call : flow.barrier_calls())
    meetings.push_back({call, Divergence::simdgroup,
                        "only some threads of the threadgroup reach the barrier in this function"});
  for (const auto* call : flow.calls()) {
    const auto name = metal_function(*call, flow.unit());
    if (name.starts_with("simdgroup_") && name != "simdgroup_barrier")
      meetings.push_back({call, Divergence::thread,
                          "only some threads of the simdgroup reach this matrix function",
                          /*is_barrier=*/false});
  }
  return meetings;
}

std::string_view reason_for(const ThreadFlow& flow, const clang::Expr& condition,
                            const clang::Stmt* exit) {
  if (llvm::isa_and_nonnull<clang::ReturnStmt>(exit)) return "because of this early return";
  if (llvm::isa_and_nonnull<clang::BreakStmt>(exit)) return "because of this break";
  if (llvm::isa_and_nonnull<clang::ContinueStmt>(exit)) return "because of this continue";
  return flow.divergence(&condition) == Divergence::simdgroup
             ? "because this condition differs among the simdgroups of a threadgroup"
             : "because this condition differs among threads";
}

// `for (i = a + t; i < b + t; i += n)`: all threads run it equally often.
bool runs_equally_often(const clang::ForStmt& loop, const ThreadFlow& flow) {
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
  const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInc());
  if (!test || !test->isRelationalOp() || !step || !step->isCompoundAssignmentOp()) return false;
  const auto* variable = root_variable(step->getLHS());
  if (!variable || !variable->getInit() || root_variable(test->getLHS()) != variable ||
      !flow.contains(loop.getInit(), variable->getInit()) ||
      flow.divergence(step->getRHS()) != Divergence::none)
    return false;
  return index_form(variable->getInit(), flow).varying() ==
         index_form(test->getRHS(), flow).varying();
}

bool is_uniform_loop(const clang::Expr& condition, const ThreadFlow& flow) {
  const auto* around = flow.parent(&condition);
  const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(around);
  return loop && loop->getCond() == &condition && runs_equally_often(*loop, flow);
}

// The condition by which threads part before a meeting; null without one.
const clang::Expr* cause_of(const Meeting& meeting, const ThreadFlow& flow) {
  const auto* condition = flow.divergent_condition(meeting.call, meeting.least);
  return condition && !is_uniform_loop(*condition, flow) ? condition : nullptr;
}

// Whether a pattern finds the barrier, in the kernel or in a function that it calls.
bool is_found_by_pattern(const Place& barrier, const Unit& unit) {
  for (const auto& flow : cooperative_flows(unit))
    for (const auto& meeting : meetings_in(flow))
      if (cause_of(meeting, flow) &&
          unit.locate(meeting.call->getSourceRange()).start() == barrier.start())
        return true;
  return false;
}

// In all launches of the task, by a proof.
bool all_reach_barriers(const ThreadFlow& flow, const Contract& contract) {
  return is_excluded_by_task(flow.function(), ProofSubject::barriers, "", flow.unit(), contract);
}

// Whether the threadgroup has an array with so many elements.
bool has_array_of(std::int64_t length, const ThreadFlow& flow) {
  const auto& ast = flow.unit().ast();
  return std::ranges::any_of(flow.statements(), [&](const clang::Stmt* statement) {
    const auto* group = llvm::dyn_cast<clang::DeclStmt>(statement);
    return group && std::ranges::any_of(group->decls(), [&](const clang::Decl* each) {
             const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
             const auto* array =
                 variable ? ast.getAsConstantArrayType(variable->getType()) : nullptr;
             return array && space_of(variable->getType()) == Space::threadgroup &&
                    static_cast<std::int64_t>(array->getZExtSize()) == length;
           });
  });
}

// The threads that a kernel is written for, where a condition parts only further ones: n in
// `if (t >= n) return;` beside an array of n elements.
std::optional<std::int64_t> threads_before(const clang::Expr& condition, const clang::Stmt& meeting,
                                           const ThreadFlow& flow) {
  for (const auto& limit : limits_at(meeting, flow).all) {
    const auto varying = limit.never_negative.varying();
    const auto atoms = varying.atoms();
    if (limit.condition != condition.IgnoreParenImpCasts() || atoms.size() != 1 ||
        atoms.front().position != Position::in_threadgroup ||
        !(limit.never_negative + form_of(atoms.front())).is_constant())
      continue;
    const auto threads = limit.never_negative.constant() + 1;
    if (has_array_of(threads, flow)) return threads;
  }
  return std::nullopt;
}

void check_barrier_divergence(const ThreadFlow& flow, Reporter& report) {
  std::set<const clang::Expr*> told;  // one finding for each cause
  for (const auto& meeting : meetings_in(flow)) {
    const auto* condition = cause_of(meeting, flow);
    if (!condition || (meeting.is_barrier && all_reach_barriers(flow, report.contract()))) continue;
    if (!told.insert(condition).second) continue;
    // The exit explains it only where the meeting is not inside of the same `if`.
    const auto* exit = flow.exit_under(condition);
    const auto* branch = exit ? flow.parent(exit) : nullptr;
    while (branch && !llvm::isa<clang::IfStmt>(branch)) branch = flow.parent(branch);
    if (branch && flow.contains(branch, meeting.call)) exit = nullptr;
    const auto threads = exit ? threads_before(*condition, *meeting.call, flow) : std::nullopt;
    auto draft = report(meeting.call->getSourceRange(),
                        threads ? fmt::format("with more than {} threads in a threadgroup, {}",
                                              *threads, meeting.what)
                                : std::string(meeting.what));
    if (threads) draft.severity(Severity::note);
    draft.note(exit ? exit->getSourceRange() : condition->getSourceRange(),
               std::string(reason_for(flow, *condition, exit)));
  }
  if (!told.empty()) return;
  for (const auto& fault : likely_faults(flow.function(), flow.unit(), report.contract()))
    if (fault.subject == ProofSubject::barriers && !is_found_by_pattern(fault.first, flow.unit()))
      report(fault.first, "only some threads reach this barrier")
          .note(fault.first, fmt::format("one of the {} does not", fault.threads));
}

}  // namespace

extern constinit const Rule barrier_divergence{
    .check_cooperative_flow = check_barrier_divergence,
    .asks_proofs = true,
};

}  // namespace msci
