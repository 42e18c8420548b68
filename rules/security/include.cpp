#include <algorithm>

#include "compiler/frontend/preamble/headers.h"
#include "lint/analysis/raw_tokens.h"
#include "lint/explanation.h"
#include "lint/rule.h"

namespace msci {
namespace {

// The file that a directive names, without its quotes or angle brackets, and where.
struct Named {
  std::string_view name;
  Place place;
};

// What stands between the '(' at `open` and its ')'.
Named named_in(const FileTokens& tokens, std::size_t open) {
  const auto& words = tokens.words();
  const auto close = closing_token(words, open);
  if (close >= words.size() || close < open + 2) return {};
  const auto place = tokens.place_of(words[open + 1], words[close - 1]);
  auto name = text_of(tokens.source(), place.range);
  if (name.size() > 2) name = name.substr(1, name.size() - 2);
  return {name, place};
}

bool is_known_header(std::string_view name) {
  const auto& headers = metal_headers();
  return std::any_of(headers.begin(), headers.end(),
                     [&](const Header& header) { return header.name == name; });
}

// Only msci has it: who asks for one wants to know who compiles.
bool is_internal_header(std::string_view name) {
  return name.starts_with("__") && is_known_header(name);
}

bool is_metal_header(std::string_view name) {
  return name.starts_with("simd/") || (is_known_header(name) && !is_internal_header(name));
}

}  // namespace

extern constinit const Rule include{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit&, const Diagnostic& diagnostic, Finding& finding) {
          const auto& message = diagnostic.message;
          const bool is_missing = message.ends_with("file not found") ||
                                  message.find("file not found, did you mean") != std::string::npos;
          if (!is_missing) return DiagnosticMatch::none;
          // The note says why an existing file was not read.
          if (!diagnostic.notes.empty()) {
            add_remedy(finding, diagnostic.notes.front().message);
            finding.notes.clear();
          } else {
            finding.notes = {{diagnostic.place,
                              "only Metal's own headers can be included, and files of the source's "
                              "folder, its project and folders given with -I"}};
          }
          return DiagnosticMatch::finding;
        },
    .check =
        [](const Unit& unit, Reporter& report) {
          if (unit.source().text.find("__has_") == std::string::npos) return;
          const FileTokens tokens(unit, {});
          const auto& words = tokens.words();
          for (std::size_t i = 0; i + 1 < words.size(); ++i) {
            if (!words[i].is("__has_include") && !words[i].is("__has_embed")) continue;
            if (!words[i + 1].is("(")) continue;
            const auto named = named_in(tokens, i + 1);
            if (!named.name.empty() && !is_metal_header(named.name))
              report(named.place, "checks for a file that is not a Metal header")
                  .severity(is_internal_header(named.name) ? Severity::error : Severity::warning);
          }
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
