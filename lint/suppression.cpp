#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/text.h"
#include "lint/analysis/raw_tokens.h"
#include "lint/lint.h"

namespace msci {
namespace {

constexpr std::string_view mark = "msci:";
constexpr std::string_view unused_rule = "lint.unused_suppression";
constexpr std::string_view bad_rule = "lint.bad_suppression";
constexpr std::string_view form =
    "expected \"msci: allow(rule) reason\", allow-file, allow-begin or allow-end";

// What a comment applies to.
enum class Scope { line, file, begin, end };
struct Directive {
  std::string_view opening;
  Scope scope;
};
constexpr std::array directives = {
    Directive{"allow(", Scope::line}, Directive{"allow-file(", Scope::file},
    Directive{"allow-begin(", Scope::begin}, Directive{"allow-end(", Scope::end}};

// A part of the source's text, with its offset.
struct Piece {
  std::string_view text;
  std::size_t offset = 0;
  std::size_t end() const { return offset + text.size(); }
  Piece part(std::size_t begin, std::size_t end) const {
    return {text.substr(begin, end - begin), offset + begin};
  }
  Piece trimmed() const {
    const auto inner = msci::trimmed(text);
    return inner.empty() ? part(0, 0) : part(text.find(inner), text.find(inner) + inner.size());
  }
};

// Inside `//` or `/* */`.
Piece inside(const RawToken& comment) {
  const Piece all{comment.text, comment.offset};
  const auto close = comment.text.starts_with("/*") && comment.text.ends_with("*/") ? 2 : 0;
  return all.part(2, comment.text.size() - close).trimmed();
}

Finding bad(Place place, std::string message) {
  return {.rule = std::string(bad_rule),
          .severity = Severity::warning,
          .place = std::move(place),
          .message = std::move(message)};
}

// The comment with the white space before it, or the whole line if the comment stands alone on it.
Piece whole(const Source& source, const RawToken& comment) {
  const std::string_view text = source.text;
  auto begin = comment.offset;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  auto end = comment.end();
  const bool starts_line = begin == 0 || text[begin - 1] == '\n';
  if (starts_line && end < text.size() && text[end] == '\n') ++end;
  return {text.substr(begin, end - begin), begin};
}

// The line of code that a comment applies to.
unsigned line_of(const Source& source, const std::vector<RawToken>& words, std::size_t comment) {
  const auto line = [&](const RawToken& word) { return location_at(source, word.offset).line; };
  const auto here = line(words[comment]);
  if (comment > 0 && !words[comment - 1].is_comment() && line(words[comment - 1]) == here)
    return here;
  const auto next = std::find_if(words.begin() + static_cast<std::ptrdiff_t>(comment), words.end(),
                                 [](const RawToken& word) { return !word.is_comment(); });
  return next == words.end() ? here : line(*next);
}

// What is wrong with the name of a rule, or nothing.
std::string problem_with(std::string_view rule, std::span<const ListedRule> rules) {
  if (rule == unused_rule || rule == bad_rule)
    return "a suppression cannot suppress findings on suppressions";
  if (find_rule(rules, rule)) return {};
  const auto near = nearest_name(rule, rules);
  if (near == rule && !rule.empty())
    return fmt::format("\"{}\" is a family; a suppression names a rule", rule);
  return fmt::format("no rule is called \"{}\"{}", valid_utf8(rule), did_you_mean(near));
}

std::vector<Piece> split(const Piece& names) {
  std::vector<Piece> pieces;
  for (std::size_t begin = 0; begin <= names.text.size();) {
    const auto end = std::min(names.text.find(',', begin), names.text.size());
    pieces.push_back(names.part(begin, end));
    begin = end + 1;
  }
  return pieces;
}

// The text to remove for the name at `index`, with its comma.
Piece removal_of(const std::vector<Piece>& names, std::size_t index, const Source& source) {
  const auto begin = index == 0 ? names[0].offset : names[index - 1].end();
  const auto end = index == 0 ? names[1].trimmed().offset : names[index].end();
  return {std::string_view(source.text).substr(begin, end - begin), begin};
}

class SuppressionReader {
 public:
  SuppressionReader(const Source& source, std::span<const ListedRule> rules,
                    const std::string& file)
      : source_(source),
        rules_(rules),
        tokens_(raw_tokens(source, Comments::kept)),
        result_{.file = file} {}

  Suppressions read() && {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      follow_conditions(i);
      if (!tokens_[i].is_comment()) continue;
      const auto text = inside(tokens_[i]);
      if (text.text.starts_with(mark)) read(i, text.part(mark.size(), text.text.size()).trimmed());
    }
    std::erase_if(result_.list, [&](const Suppression& each) {
      const bool is_open = each.last_line == 0;
      if (is_open)
        result_.bad.push_back(
            bad(each.place, fmt::format("allow-begin({0}) has no allow-end({0})", each.rule)));
      return is_open;
    });
    return std::move(result_);
  }

 private:
  // Counts the open #if before the token at `index`.
  void follow_conditions(std::size_t index) {
    if (index == 0 || !tokens_[index - 1].is("#") || !tokens_[index - 1].starts_line) return;
    const auto word = tokens_[index].text;
    if (word.starts_with("if")) ++conditions_;
    if (word == "endif") --conditions_;
  }

  // Reads the suppression `text` in the comment at `index`.
  void read(std::size_t index, const Piece& text) {
    if (text.text.starts_with("assume(")) return;  // of proofs: tasks/plan/assumption/assumption.h
    if (text.text.starts_with("tune ")) return;    // of a search: search/tune/tune.h
    const auto close = text.text.find(')');
    const auto directive =
        std::find_if(directives.begin(), directives.end(),
                     [&](const Directive& each) { return text.text.starts_with(each.opening); });
    if (directive == directives.end() || close == std::string_view::npos)
      return add_problem(inside(tokens_[index]), std::string(form));
    const auto scope = directive->scope;
    const auto names = split(text.part(directive->opening.size(), close));
    const auto reason = msci::trimmed(text.text.substr(close + 1));
    const bool lacks_reason = reason.empty() && scope != Scope::end;
    if (lacks_reason)
      add_problem(inside(tokens_[index]), "a suppression needs a reason after the closing bracket");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto name = names[i].trimmed();
      if (auto what = problem_with(name.text, rules_); !what.empty()) {
        add_problem(name.text.empty() ? inside(tokens_[index]) : name, std::move(what));
        continue;
      }
      if (lacks_reason) continue;
      const auto removal =
          names.size() == 1 ? whole(source_, tokens_[index]) : removal_of(names, i, source_);
      const Edit edit{place_of(removal), ""};
      if (scope == Scope::end) {
        end_block(name, index, edit);
        continue;
      }
      const auto [first, last] = lines_of(scope, index);
      result_.list.push_back({.rule = std::string(name.text),
                              .reason = valid_utf8(reason),
                              .first_line = first,
                              .last_line = last,
                              .place = place_of(name),
                              .in_condition = conditions_ > 0,
                              .removal = {edit}});
    }
  }

  // The first and the last line that the comment at `index` applies to; a block is open, with 0 as
  // its last line.
  std::pair<unsigned, unsigned> lines_of(Scope scope, std::size_t index) const {
    if (scope == Scope::file) return {1, std::numeric_limits<unsigned>::max()};
    if (scope == Scope::begin) return {line_at_token(index), 0};
    const auto line = line_of(source_, tokens_, index);
    return {line, line};
  }

  // Closes the last open block of the rule `name`.
  void end_block(const Piece& name, std::size_t index, const Edit& removal) {
    const auto open = std::find_if(
        result_.list.rbegin(), result_.list.rend(),
        [&](const Suppression& each) { return each.last_line == 0 && each.rule == name.text; });
    if (open == result_.list.rend())
      return add_problem(
          name, fmt::format("allow-end({0}) has no allow-begin({0}) before it", name.text));
    open->last_line = line_at_token(index);
    open->in_condition |= conditions_ > 0;
    open->removal.push_back(removal);
  }

  unsigned line_at_token(std::size_t index) const {
    return location_at(source_, tokens_[index].offset).line;
  }

  Place place_of(const Piece& piece) const {
    return {result_.file, {location_at(source_, piece.offset), location_at(source_, piece.end())}};
  }

  void add_problem(const Piece& place, std::string message) {
    result_.bad.push_back(bad(place_of(place), std::move(message)));
  }

  const Source& source_;
  std::span<const ListedRule> rules_;
  std::vector<RawToken> tokens_;
  int conditions_ = 0;
  Suppressions result_;
};

bool is_within(const Suppression& suppression, const Place& place) {
  const auto line = place.range.begin.line;
  return place.file == suppression.place.file && suppression.first_line <= line &&
         line <= suppression.last_line;
}

bool applies_to(const Suppression& suppression, const Finding& finding) {
  return suppression.rule == finding.rule && is_within(suppression, finding.place);
}

// A finding of the rule that has only a note where the suppression applies; null without one.
const Finding* noted_here(const Suppression& suppression, const std::vector<Finding>& findings) {
  for (const auto& finding : findings)
    if (finding.rule == suppression.rule && finding.place.file == suppression.place.file)
      for (const auto& note : finding.notes)
        if (is_within(suppression, note.place)) return &finding;
  return nullptr;
}

Finding misplaced(const Suppression& suppression, const Finding& finding) {
  return {.rule = std::string(unused_rule),
          .severity = Severity::warning,
          .place = suppression.place,
          .message = fmt::format(
              "{} reports line {} and only explains this one; move the suppression there",
              suppression.rule, finding.place.range.begin.line)};
}

Finding unused(const Suppression& suppression) {
  return {
      .rule = std::string(unused_rule),
      .severity = Severity::warning,
      .place = suppression.place,
      .message = fmt::format("{} reports nothing here; remove the suppression", suppression.rule),
      .fixes = {{.edits = suppression.removal, .safe = true}}};
}

Finding refused(const Suppression& suppression) {
  return {.rule = std::string(bad_rule),
          .severity = Severity::warning,
          .place = suppression.place,
          .message = fmt::format("an error of {} cannot be suppressed", suppression.rule)};
}

}  // namespace

Suppressions suppressions_in(const Source& source, std::span<const ListedRule> rules,
                             const std::string& file) {
  if (source.text.find(mark) == std::string::npos) return {.file = file};  // the common case
  return SuppressionReader(source, rules, file).read();
}

std::vector<SuppressedFinding> take_suppressed(std::vector<Finding>& findings,
                                               const Suppressions& suppressions, bool complete) {
  std::vector<SuppressedFinding> suppressed;
  std::vector<Finding> said = suppressions.bad;
  for (const auto& suppression : suppressions.list) {
    const auto before = suppressed.size();
    bool is_error = false;
    std::erase_if(findings, [&](const Finding& finding) {
      if (!applies_to(suppression, finding)) return false;
      is_error |= finding.severity == Severity::error;
      if (finding.severity == Severity::error) return false;
      suppressed.push_back({finding, suppression.reason});
      return true;
    });
    if (suppressed.size() > before) continue;
    if (is_error && suppressions.file.empty())
      said.push_back(refused(suppression));
    else if (const auto* finding = noted_here(suppression, findings); complete && finding)
      said.push_back(misplaced(suppression, *finding));
    else if (complete && !suppression.in_condition)
      said.push_back(unused(suppression));
  }
  findings.insert(findings.end(), said.begin(), said.end());
  return suppressed;
}

}  // namespace msci
