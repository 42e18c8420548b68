// Several rounds of an outer loop, or several threads, share the rounds of the inner loop.
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/analysis/expressions.h"
#include "lint/analysis/flow/changed_variables.h"
#include "search/rewrite/counted_loop.h"
#include "search/rewrite/guarded_kernel.h"
#include "search/rewrite/transformations.h"

namespace msci::search {
namespace {

constexpr std::int64_t factor = 4;

// What several rounds do: those of a loop, or those of the threads that become one.
struct Rounds {
  std::vector<const clang::Stmt*> statements;
  const clang::VarDecl* counter = nullptr;
  std::vector<std::string> counters;  // its text in each round
};

// The variables that a round's own statements declare.
VariableSet own_variables(const Rounds& rounds) {
  VariableSet own;
  for (const auto* statement : rounds.statements)
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement))
      for (const auto* each : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each)) own.insert(variable);
  return own;
}

// Names of a round's own for what the body declares.
Names names_of_round(const Rounds& rounds, std::size_t round, const VariableSet& declared) {
  Names names;
  if (round == 0) return names;
  names[rounds.counter] = rounds.counters[round];
  for (const auto* variable : declared)
    names[variable] = fmt::format("{}_{}", variable->getNameAsString(), round);
  return names;
}

// The statement once for each round.
std::optional<std::string> copies(const clang::Stmt& statement, const std::vector<Names>& rounds,
                                  const ParsedText& code, const std::string& blanks) {
  std::string text;
  for (const auto& names : rounds) {
    const auto copy = code.copy(statement, names, blanks);
    if (!copy) return std::nullopt;
    text += fmt::format("{}{}\n", blanks, *copy);
  }
  return text;
}

// The inner loop of a body that several rounds can share: its head mentions nothing of a round's
// own, and no round leaves it early.
bool is_shared(const Rounds& rounds, const clang::ForStmt& inner, VariableSet own) {
  own.insert(rounds.counter);
  return !mentions_any(inner.getInit(), own) && !mentions_any(inner.getCond(), own) &&
         !mentions_any(inner.getInc(), own) && !jumps(*inner.getBody());
}

// Each round's copy of each statement, and of each inner loop's body. None without an inner loop
// that they share.
std::optional<std::string> jammed(const Rounds& rounds, const ParsedText& code,
                                  const std::string& blanks) {
  const auto own = own_variables(rounds);
  std::vector<Names> names;
  for (std::size_t round = 0; round < rounds.counters.size(); ++round)
    names.push_back(names_of_round(rounds, round, own));
  std::string text;
  bool shares = false;
  for (const auto* statement : rounds.statements) {
    const auto* inner = llvm::dyn_cast<clang::ForStmt>(statement);
    const bool is_inner = inner && inner->getBody() && is_shared(rounds, *inner, own);
    const auto copied = copies(is_inner ? *inner->getBody() : *statement, names, code,
                               blanks + (is_inner ? "  " : ""));
    if (!copied) return std::nullopt;
    if (!is_inner) {
      text += *copied;
      continue;
    }
    const auto head = code.span({inner->getBeginLoc(), inner->getRParenLoc()});
    if (!head) return std::nullopt;
    text += fmt::format("{0}{1} {{\n{2}{0}}}\n", blanks, code.text(*head), *copied);
    shares = true;
  }
  return shares && text.size() <= most_bytes ? std::optional(text) : std::nullopt;
}

// Whether threads share more than buffers: functions of simdgroups, or memory of a threadgroup.
class Sharing : public clang::DynamicRecursiveASTVisitor {
 public:
  bool found = false;
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto* callee = call->getDirectCallee();
    if (callee && callee->getDeclName().isIdentifier())
      found =
          found || callee->getName().starts_with("simd") || callee->getName().starts_with("quad_");
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    found = found || space_of(variable->getType()) == Space::threadgroup;
    return true;
  }
};

bool threads_share(const Unit& unit) {
  Sharing sharing;
  for (const auto* function : functions_of(unit))
    sharing.TraverseDecl(const_cast<clang::FunctionDecl*>(function));
  return sharing.found;
}

// The kernel with a path before its own in which a thread does the work of four that lie a quarter
// of the grid apart.
std::optional<Rewrite> with_fewer_threads(const Kernel& kernel, const ParsedText& code) {
  const auto guarded = guarded_kernel(kernel, code);
  if (!guarded || std::ranges::any_of(guarded->statements,
                                      [](const auto* statement) { return leaves(*statement); }))
    return std::nullopt;
  Rounds rounds{.statements = guarded->statements, .counter = guarded->number};
  const auto name = guarded->number->getNameAsString(), share = name + "_share";
  if (code.unit().source().text.find(share) != std::string::npos) return std::nullopt;
  for (std::int64_t round = 0; round < factor; ++round)
    rounds.counters.push_back(fmt::format("({} + {} * {})", name, round, share));
  const auto text = jammed(rounds, code, "    ");
  if (!text) return std::nullopt;
  return Rewrite{fmt::format("gives a thread of {} the work of {}, where the grid has {} threads",
                             kernel.name, factor, guarded->limit),
                 {code.replace({guarded->guard.begin, guarded->guard.begin},
                               fmt::format("const uint {0} = {1} / {2};\n"
                                           "  if ({1} % {2} == 0) {{\n"
                                           "    if ({3} >= {0}) return;\n{4}    return;\n  }}\n  ",
                                           share, guarded->limit, factor, name, *text))}};
}

}  // namespace

std::vector<Rewrite> find_jams(const Unit& unit) {
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  for (const auto& loop : counted_loops(code)) {
    if (leaves(loop.body()) || !are_rounds_independent(loop)) continue;
    const auto blanks = code.indentation(loop.span.begin);
    Rounds rounds{.statements = loop.statements(), .counter = loop.variable};
    for (std::int64_t round = 0; round < factor; ++round)
      rounds.counters.push_back(counter(loop, round));
    const auto body = jammed(rounds, code, blanks + "    ");
    const auto text = body ? in_steps(loop, factor, *body, code, blanks) : std::nullopt;
    if (text)
      found.push_back(
          {fmt::format("runs {} rounds of the loop over {} in one walk of its inner loop", factor,
                       loop.name()),
           {code.replace(loop.span, *text)}});
  }
  return found;
}

std::vector<Rewrite> find_elements(const Unit& unit) {
  const ParsedText code(unit);
  if (threads_share(unit)) return {};
  return found_at(unit.kernels(),
                  [&](const Kernel& kernel) { return with_fewer_threads(kernel, code); });
}

}  // namespace msci::search
