#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lint/analysis/raw_tokens.h"
#include "lint/explanation.h"
#include "lint/rule.h"

namespace msci {
namespace {

constexpr std::array reserved = {"half",   "bfloat",      "kernel", "device",  "constant",
                                 "thread", "threadgroup", "vertex", "fragment"};

bool is_reserved(const RawToken& word) {
  return std::find(reserved.begin(), reserved.end(), word.text) != reserved.end();
}

bool declares(const Diagnostic& diagnostic) {
  return diagnostic.message.starts_with("cannot combine with previous");
}

// The reserved word that the compiler stumbled over: it points at the word itself or behind it.
const RawToken* culprit(const Diagnostic& diagnostic, const FileTokens& tokens) {
  if (!tokens.contains(diagnostic.place)) return nullptr;
  const auto& words = tokens.words();
  const auto at = tokens.at(diagnostic.place);
  const auto& message = diagnostic.message;
  if (declares(diagnostic) || message.starts_with("invalid parameter name: "))
    return at < words.size() && is_reserved(words[at]) ? &words[at] : nullptr;
  if (message.starts_with("expected ") || message.ends_with("cannot be applied to types"))
    for (auto behind = at; behind > 0 && behind <= words.size(); --behind) {
      const auto& word = words[behind - 1];
      // Behind a record without its ';', the word is itself: metal.compile_error says what is
      // missing.
      if (behind > 1 && words[behind - 2].is("}") && message.starts_with("expected ';' after "))
        return nullptr;
      if (is_reserved(word)) return &word;
      if (!word.is("[")) break;  // of an attribute
    }
  return nullptr;
}

// All places where the compiler stumbled over this word.
std::vector<Edit> renamed(const Unit& unit, const FileTokens& tokens, const RawToken& name) {
  std::vector<Edit> edits;
  for (const auto& each : unit.diagnostics()) {
    const auto* word = culprit(each, tokens);
    if (!word || word->text != name.text) continue;
    Edit edit{tokens.place_of(*word), std::string(name.text) + "_"};
    if (std::find(edits.begin(), edits.end(), edit) == edits.end()) edits.push_back(edit);
  }
  return edits;
}

// Whether the edits rename every mention of the word, to one that is nowhere else: then the source
// means what it meant. Elsewhere a mention may be the type, or a use that the compiler took for it.
bool is_everywhere(const std::vector<Edit>& edits, const std::vector<RawToken>& words,
                   const RawToken& name) {
  const auto is_new = [&](const RawToken& word) { return word.text == edits.front().replacement; };
  const auto mentions = std::count_if(words.begin(), words.end(),
                                      [&](const RawToken& word) { return word.text == name.text; });
  return !edits.empty() && mentions == static_cast<std::ptrdiff_t>(edits.size()) &&
         std::none_of(words.begin(), words.end(), is_new);
}

// Whether the compiler only stumbles again over a name that it refused before.
bool is_told(const Unit& unit, const FileTokens& tokens, const Diagnostic& diagnostic,
             const RawToken& name) {
  for (const auto& each : unit.diagnostics()) {
    if (&each == &diagnostic) return false;
    const auto* word = culprit(each, tokens);
    if (!word || word->text != name.text) continue;
    if (word == &name || !declares(diagnostic)) return true;
  }
  return false;
}

}  // namespace

extern constinit const Rule reserved_name{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit& unit, const Diagnostic& diagnostic, Finding& finding) {
          const FileTokens tokens(unit, diagnostic.place);
          const auto* word = culprit(diagnostic, tokens);
          if (!word) return DiagnosticMatch::none;
          if (is_told(unit, tokens, diagnostic, *word)) return DiagnosticMatch::consequence;
          if (diagnostic.message.starts_with("invalid parameter name: "))
            finding.message = fmt::format("invalid parameter name: '{}' is a keyword", word->text);
          finding.notes.clear();
          explain(finding,
                  fmt::format("'{}' is reserved in Metal and cannot be a name", word->text));
          auto edits = renamed(unit, tokens, *word);
          const bool safe = is_everywhere(edits, tokens.words(), *word);
          finding.fixes = {{std::move(edits), safe}};
          return DiagnosticMatch::finding;
        },
};

}  // namespace msci
