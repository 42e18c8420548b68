// Loops that count.
#pragma once

#include <clang/AST/Stmt.h>

#include <optional>
#include <string>
#include <vector>

#include "search/rewrite/parsed_text.h"

namespace msci::search {

// `for (T v = first; v < limit; ++v) body`, also with <= or another constant step upwards. The body
// changes neither v nor what the limit mentions.
struct CountedLoop {
  const clang::ForStmt* loop = nullptr;
  const clang::VarDecl* variable = nullptr;
  std::string type;   // of v, as written
  std::string first;  // as written
  std::string limit;  // as written; an operand
  bool includes_limit = false;
  std::int64_t step = 1;
  std::optional<std::int64_t> rounds;       // where they are constant
  std::optional<std::int64_t> first_value;  // where it is constant
  Span span;                                // of the statement

  // "row": how messages name it.
  std::string name() const { return variable->getNameAsString(); }
  const clang::Stmt& body() const { return *loop->getBody(); }
  // The statements of the body.
  std::vector<const clang::Stmt*> statements() const;
};

// The loops of all functions that have a body; the outer one of two comes first.
std::vector<const clang::ForStmt*> for_loops(const ParsedText& code);
// The integer that a loop's first part alone declares, with a value; null where there is none.
const clang::VarDecl* counter_of(const clang::Stmt* start);

// Those of all functions; the outer one of two comes first.
std::vector<CountedLoop> counted_loops(const ParsedText& code);
// The loop, if it counts.
std::optional<CountedLoop> counted_loop(const clang::Stmt& statement, const ParsedText& code);

// Whether no round seems to need what another one writes: what the body changes outside is an
// element that the counter chooses, or a sum that grows. Pointers may hide more.
bool are_rounds_independent(const CountedLoop& loop);

// "row", "(row + 2)": the counter of one of several rounds.
std::string counter(const CountedLoop& loop, std::int64_t round);

// A loop that takes `factor` rounds at once, with `body`, and one that takes the rounds left.
std::optional<std::string> in_steps(const CountedLoop& loop, std::int64_t factor,
                                    const std::string& body, const ParsedText& code,
                                    const std::string& blanks);

// The most bytes that a transformation writes for one loop.
inline constexpr std::size_t most_bytes = 16'000;

}  // namespace msci::search
