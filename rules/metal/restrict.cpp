#include <algorithm>

#include "lint/analysis/raw_tokens.h"
#include "lint/explanation.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Whether the word before the place where the compiler stumbled is C's `restrict`.
bool is_restrict_error(const Diagnostic& diagnostic, const std::vector<RawToken>& words,
                       const Source& source) {
  if (!diagnostic.message.starts_with("expected ")) return false;
  const auto at = token_at(words, source, diagnostic.range.begin);
  return at > 0 && at <= words.size() && words[at - 1].is("restrict");
}

// Spells every `restrict` up to the function's body as Metal does: the compiler only saw the first.
std::vector<Edit> respelt(const std::vector<RawToken>& words, const Source& source,
                          std::size_t at) {
  std::vector<Edit> edits;
  for (auto i = at - 1; i < words.size() && !words[i].is("{") && !words[i].is(";"); ++i)
    if (words[i].is("restrict")) edits.push_back({range_of(source, words[i]), "__restrict"});
  return edits;
}

// Whether a diagnostic only says what `restrict` has broken: it is about the name that was lost, or
// stands in the body of a function whose parameters were lost.
bool is_consequence(const Unit& unit, const std::vector<RawToken>& words,
                    const Diagnostic& diagnostic) {
  const auto& source = unit.source();
  const auto& all = unit.diagnostics();
  return std::any_of(all.begin(), all.end(), [&](const Diagnostic& earlier) {
    if (!(earlier.range.begin < diagnostic.range.begin) ||
        !is_restrict_error(earlier, words, source))
      return false;
    auto open = token_at(words, source, earlier.range.begin);
    if (unit.text(diagnostic.range) == words[open].text) return true;
    while (open < words.size() && !words[open].is("{") && !words[open].is(";")) ++open;
    if (open == words.size() || words[open].is(";")) return false;
    const auto inside = token_at(words, source, diagnostic.range.begin);
    return open < inside && inside < closing_token(words, open);
  });
}

}  // namespace

extern constinit const Rule restrict {
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit& unit, const Diagnostic& diagnostic, Finding& finding) {
          const auto& source = unit.source();
          // Most sources have none, and need not be taken apart.
          if (source.text.find("restrict") == std::string::npos) return DiagnosticMatch::none;
          const auto& words = raw_tokens(unit);
          if (is_consequence(unit, words, diagnostic)) return DiagnosticMatch::consequence;
          if (!is_restrict_error(diagnostic, words, source)) return DiagnosticMatch::none;
          const auto at = token_at(words, source, diagnostic.range.begin);
          finding.notes.clear();  // "to match this '('"
          explain(finding, "'restrict' is a C keyword; use '__restrict'");
          finding.fixes = {{respelt(words, source, at)}};
          return DiagnosticMatch::finding;
        },
};

}  // namespace msci
