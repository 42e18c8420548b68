#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include "frontend/included_files.h"
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
Edit removal(const std::vector<RawToken>& words, const Source& source, const Brackets& brackets) {
  auto range = range_of(source, words[brackets.open], words[brackets.close]);
  const auto behind = std::string_view(source.text)
                          .substr(std::min(words[brackets.close].end(), source.text.size()));
  const auto next = behind.find_first_not_of(" \t");
  const bool ends_line = next == std::string_view::npos || behind[next] == '\n';
  if (words[brackets.open].starts_line && ends_line)
    range = {{range.begin.line, 1}, {range.end.line + 1, 1}};
  else if (brackets.open > 0 && (next > 0 || ends_line))
    range.begin = location_at(source, words[brackets.open - 1].end());
  return {range, ""};
}

// Moves an attribute to where Metal wants it: before `kernel`.
std::vector<Edit> moved(const Source& source, Location place) {
  const auto words = raw_tokens(source);
  const auto brackets = brackets_around(words, token_at(words, source, place));
  if (!brackets) return {};
  const auto kernel = kernel_near(words, *brackets);
  if (!kernel) return {};
  const auto whole = range_of(source, words[brackets->open], words[brackets->close]);
  const auto target = location_at(source, words[*kernel].offset);
  const auto separator = words[*kernel].starts_line ? "\n" : " ";
  return {{{target, target}, std::string(text_of(source, whole)) + separator},
          removal(words, source, *brackets)};
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
    const auto* file = local_place(unit, keyword->range).file;
    const auto& source = file ? file->source : unit.source();
    const auto& words = raw_tokens(unit, source);
    const auto place_of = [&](const Attribute& attribute) -> std::optional<Brackets> {
      const auto local = local_place(unit, attribute.range);
      if (local.file != file) return std::nullopt;
      return brackets_around(words, token_at(words, source, local.range.begin));
    };
    if (place_of(*keyword)) continue;  // [[kernel]]
    for (const auto& attribute : unit.attributes(function)) {
      const auto place = attribute.range.begin;
      if (place <= keyword->range.begin || name < place) continue;
      const auto brackets = place_of(attribute);
      if (!brackets) continue;
      const auto list = range_of(source, words[brackets->open], words[brackets->close]);
      auto draft =
          report(file ? in_unit(*file, list) : list, "an attribute list cannot appear here");
      if (!file) draft.fix(moved(source, place));
    }
  }
}

// Positions come in as parameters; a struct cannot bring them along.
void check_fields(const Unit& unit, Reporter& report) {
  for (const auto& found : match(fieldDecl(hasAttr(clang::attr::Annotate)).bind("field"), unit))
    for (const auto& attribute : unit.attributes(*found.getNodeAs<clang::FieldDecl>("field")))
      if (is_position_in_grid(attribute.name))
        report(attribute.range,
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
          if (auto edits = moved(unit.source(), diagnostic.range.begin); !edits.empty())
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
