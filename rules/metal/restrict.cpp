#include <algorithm>

#include "lint/analysis/raw_tokens.h"
#include "lint/explanation.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Whether the word before the place where the compiler stumbled is C's `restrict`.
bool is_restrict_error(const Diagnostic& diagnostic, const FileTokens& tokens) {
  if (!diagnostic.message.starts_with("expected ")) return false;
  const auto& words = tokens.words();
  const auto at = tokens.at(diagnostic.place);
  return at > 0 && at <= words.size() && words[at - 1].is("restrict");
}

// Spells every `restrict` up to the function's body as Metal does: the compiler only saw the first.
std::vector<Edit> respelt(const FileTokens& tokens, std::size_t at) {
  const auto& words = tokens.words();
  std::vector<Edit> edits;
  for (auto i = at - 1; i < words.size() && !words[i].is("{") && !words[i].is(";"); ++i)
    if (words[i].is("restrict")) edits.push_back({tokens.place_of(words[i]), "__restrict"});
  return edits;
}

// Whether a diagnostic only says what `restrict` has broken: it is about the name that was lost, or
// stands in the body of a function whose parameters were lost.
bool is_consequence(const Unit& unit, const FileTokens& tokens, const Diagnostic& diagnostic) {
  const auto& words = tokens.words();
  const auto& all = unit.diagnostics();
  return std::any_of(all.begin(), all.end(), [&](const Diagnostic& earlier) {
    if (!tokens.contains(earlier.place) || !(earlier.place.start() < diagnostic.place.start()) ||
        !is_restrict_error(earlier, tokens))
      return false;
    auto open = tokens.at(earlier.place);
    if (unit.text(diagnostic.place) == words[open].text) return true;
    while (open < words.size() && !words[open].is("{") && !words[open].is(";")) ++open;
    if (open == words.size() || words[open].is(";")) return false;
    const auto inside = tokens.at(diagnostic.place);
    return open < inside && inside < closing_token(words, open);
  });
}

}  // namespace

extern constinit const Rule restrict {
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit& unit, const Diagnostic& diagnostic, Finding& finding) {
          // Most sources have none, and need not be taken apart.
          if (unit.source_of(diagnostic.place).text.find("restrict") == std::string::npos)
            return DiagnosticMatch::none;
          const FileTokens tokens(unit, diagnostic.place);
          if (is_consequence(unit, tokens, diagnostic)) return DiagnosticMatch::consequence;
          if (!is_restrict_error(diagnostic, tokens)) return DiagnosticMatch::none;
          finding.notes.clear();  // "to match this '('"
          explain(finding, "'restrict' is a C keyword; use '__restrict'");
          finding.fixes = {{respelt(tokens, tokens.at(diagnostic.place))}};
          return DiagnosticMatch::finding;
        },
};

}  // namespace msci
