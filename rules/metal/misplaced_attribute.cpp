#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include "lint/analysis/matchers.h"
#include "lint/analysis/raw_tokens.h"
#include "lint/rule.h"

namespace msci {
namespace {

using namespace clang::ast_matchers;

// [[…]] around a place: the indices of its outer brackets.
struct Brackets {
  std::size_t open = 0;
  std::size_t close = 0;
};

std::optional<Brackets> brackets_around(const std::vector<RawToken>& words, std::size_t at) {
  for (auto open = std::min(at + 1, words.size() - 1); open > 0; --open)
    if (words[open].is("[") && words[open - 1].is("[")) {
      const auto close = closing_token(words, open - 1);
      if (close >= words.size() || close < at) return std::nullopt;
      return Brackets{open - 1, close};
    }
  return std::nullopt;
}

bool ends_declaration(const RawToken& word) { return word.is("{") || word.is("}") || word.is(";"); }

// The word `kernel` of the function that the attribute belongs to: before it, or, where it stands
// before `template`, behind it.
std::optional<std::size_t> kernel_near(const std::vector<RawToken>& words,
                                       const Brackets& brackets) {
  for (auto i = brackets.open; i-- > 0 && !ends_declaration(words[i]);)
    if (words[i].is("kernel")) return i;
  for (auto i = brackets.close; i < words.size() && !ends_declaration(words[i]); ++i)
    if (words[i].is("kernel")) return i;
  return std::nullopt;
}

// Takes the attribute away, and its line where it stands there alone.
Edit removal(const FileTokens& tokens, const Brackets& brackets) {
  const auto& words = tokens.words();
  const auto& source = tokens.source();
  auto place = tokens.place_of(words[brackets.open], words[brackets.close]);
  auto& range = place.range;
  const auto behind = std::string_view(source.text)
                          .substr(std::min(words[brackets.close].end(), source.text.size()));
  const auto next = behind.find_first_not_of(" \t");
  const bool ends_line = next == std::string_view::npos || behind[next] == '\n';
  if (words[brackets.open].starts_line && ends_line)
    range = {{range.begin.line, 1}, {range.end.line + 1, 1}};
  else if (brackets.open > 0 && (next > 0 || ends_line))
    range.begin = location_at(source, words[brackets.open - 1].end());
  return {place, ""};
}

// Moves an attribute to where Metal wants it: before `kernel`.
std::vector<Edit> moved(const FileTokens& tokens, const Place& place) {
  const auto& words = tokens.words();
  const auto brackets = brackets_around(words, tokens.at(place));
  if (!brackets) return {};
  const auto kernel = kernel_near(words, *brackets);
  if (!kernel) return {};
  const auto whole = tokens.place_of(words[brackets->open], words[brackets->close]);
  const auto separator = words[*kernel].starts_line ? "\n" : " ";
  return {{tokens.place_of(words[*kernel]).start(),
           std::string(text_of(tokens.source(), whole.range)) + separator},
          removal(tokens, *brackets)};
}

bool is_position_in_grid(std::string_view name) {
  for (std::string_view part : {"_in_grid", "_in_threadgroup", "_in_simdgroup", "threads_per_",
                                "threadgroups_per_grid", "simdgroups_per_threadgroup"})
    if (name.find(part) != std::string_view::npos)
      return name != "max_total_threads_per_threadgroup";
  return false;
}

bool is_misplacement(const std::string& message) {
  return message.ends_with("attribute cannot be applied to types") ||
         message.ends_with("attribute cannot be applied to a statement") ||
         message == "an attribute list cannot appear here";
}

// Our dialect takes `kernel [[…]] void f`; Metal's attributes end at `kernel`.
void check_behind_keyword(const Unit& unit, Reporter& report) {
  const auto kernels = functionDecl(hasAttr(clang::attr::Annotate)).bind("function");
  for (const auto& found : match(kernels, unit)) {
    const auto& function = *found.getNodeAs<clang::FunctionDecl>("function");
    const auto keyword = unit.attribute(function, "kernel");
    if (!keyword) continue;
    const auto name = unit.locate(function.getLocation());
    const FileTokens tokens(unit, keyword->place);
    const auto& words = tokens.words();
    const auto brackets_of = [&](const Attribute& attribute) -> std::optional<Brackets> {
      if (!tokens.contains(attribute.place)) return std::nullopt;
      return brackets_around(words, tokens.at(attribute.place));
    };
    if (brackets_of(*keyword)) continue;  // [[kernel]]
    for (const auto& attribute : unit.attributes(function)) {
      const auto place = attribute.place.start();
      if (place <= keyword->place.start() || name.start() < place) continue;
      if (const auto brackets = brackets_of(attribute))
        report(tokens.place_of(words[brackets->open], words[brackets->close]),
               "an attribute list cannot appear here")
            .fix(moved(tokens, place));
    }
  }
}

// Positions come in as parameters; a struct cannot bring them along.
void check_fields(const Unit& unit, Reporter& report) {
  for (const auto& found : match(fieldDecl(hasAttr(clang::attr::Annotate)).bind("field"), unit))
    for (const auto& attribute : unit.attributes(*found.getNodeAs<clang::FieldDecl>("field")))
      if (is_position_in_grid(attribute.name))
        report(attribute.place,
               fmt::format("'{}' attribute only applies to parameters and global builtin variables",
                           attribute.name));
}

}  // namespace

extern constinit const Rule misplaced_attribute{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit& unit, const Diagnostic& diagnostic, Finding& finding) {
          if (!is_misplacement(diagnostic.message)) return DiagnosticMatch::none;
          finding.fixes.clear();
          if (auto edits = moved(FileTokens(unit, diagnostic.place), diagnostic.place);
              !edits.empty())
            finding.fixes.push_back({std::move(edits)});
          return DiagnosticMatch::finding;
        },
    .check =
        [](const Unit& unit, Reporter& report) {
          check_behind_keyword(unit, report);
          check_fields(unit, report);
        },
    .runs_on_broken_source = true,
};

}  // namespace msci
