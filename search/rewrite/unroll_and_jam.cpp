// Several rounds of an outer loop share the rounds of the inner one.
#include <fmt/format.h>

#include "lint/analysis/flow/changed_variables.h"
#include "search/rewrite/counted_loop.h"
#include "search/rewrite/transformations.h"

namespace msci::search {
namespace {

// Names of a round's own for what the body declares.
Names names_of_round(const CountedLoop& loop, std::int64_t round, const VariableSet& declared) {
  Names names;
  if (round == 0) return names;
  names[loop.variable] = counter(loop, round);
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
// own.
bool is_shared(const CountedLoop& outer, const clang::ForStmt& inner, VariableSet own) {
  own.insert(outer.variable);
  return !mentions_any(inner.getInit(), own) && !mentions_any(inner.getCond(), own) &&
         !mentions_any(inner.getInc(), own);
}

// Each round's copy of each statement, and of each inner loop's body.
std::optional<std::string> jammed(const CountedLoop& loop, std::int64_t factor,
                                  const ParsedText& code, const std::string& blanks) {
  VariableSet own;
  for (const auto* statement : loop.statements())
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement))
      for (const auto* each : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each)) own.insert(variable);
  std::vector<Names> rounds;
  for (std::int64_t round = 0; round < factor; ++round)
    rounds.push_back(names_of_round(loop, round, own));
  std::string text;
  bool shares = false;
  for (const auto* statement : loop.statements()) {
    const auto* inner = llvm::dyn_cast<clang::ForStmt>(statement);
    const bool is_inner = inner && inner->getBody() && is_shared(loop, *inner, own);
    const auto copied = copies(is_inner ? *inner->getBody() : *statement, rounds, code,
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

}  // namespace

std::vector<Rewrite> find_jams(const Unit& unit) {
  constexpr std::int64_t factor = 4;
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  for (const auto& loop : counted_loops(code)) {
    if (leaves(loop.body()) || !are_rounds_independent(loop)) continue;
    const auto blanks = code.indentation(loop.span.begin);
    const auto body = jammed(loop, factor, code, blanks + "    ");
    const auto text = body ? in_steps(loop, factor, *body, code, blanks) : std::nullopt;
    if (text)
      found.push_back(
          {fmt::format("runs {} rounds of the loop over {} in one walk of its inner loop", factor,
                       loop.name()),
           {code.replace(loop.span, *text)}});
  }
  return found;
}

}  // namespace msci::search
