#include <algorithm>

#include "lint/analysis/raw_tokens.h"
#include "lint/rule.h"

namespace msci {
namespace {

// The compiler takes what stands before a function, such as `kernel`, for a part of the record
// before it, and misses that record's ';' behind it.
void move_semicolon(const Unit& unit, const Diagnostic& diagnostic, Finding& finding) {
  if (!diagnostic.message.starts_with("expected ';' after ")) return;
  const FileTokens tokens(unit, diagnostic.place);
  const auto& words = tokens.words();
  if (!tokens.contains(diagnostic.place)) return;
  const auto at = std::min(tokens.at(diagnostic.place), words.size());
  if (at < 2 || !words[at - 2].is("}")) return;
  auto end = tokens.place_of(words[at - 2]);
  end.range.begin = end.range.end;
  finding.place = end;
  finding.fixes = {{.edits = {{end, ";"}}, .safe = false}};
}

}  // namespace

extern constinit const Rule compile_error{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit& unit, const Diagnostic& diagnostic, Finding& finding) {
          // The compiler stops counting; what it has counted is reported.
          if (diagnostic.message.starts_with("too many errors emitted"))
            return DiagnosticMatch::consequence;
          if (diagnostic.severity != Severity::error) return DiagnosticMatch::none;
          move_semicolon(unit, diagnostic, finding);
          return DiagnosticMatch::finding;
        },
    .matches_last = true,
};

}  // namespace msci
