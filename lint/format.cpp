#include "lint/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "lint/text.h"

namespace msci {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t shown_columns = 160;

std::string painted(std::string_view text, std::string_view code, Colour colour) {
  return colour == Colour::none ? std::string(text) : fmt::format("\033[{}m{}\033[0m", code, text);
}

std::string_view code_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "1;31";
    case Severity::warning:
      return "1;35";
    case Severity::note:
      return "1;36";
  }
  return "";
}

// The line and a caret below its range; a very long line is cut around it.
std::string excerpt(const Source& source, const Range& range, Colour colour) {
  auto line = line_at(source.text, range.begin.line);
  std::size_t begin = std::min<std::size_t>(range.begin.column - 1, line.size());
  std::size_t end = range.end.line == range.begin.line ? range.end.column - 1 : line.size();
  if (line.size() > shown_columns) {
    const auto cut = begin > shown_columns / 2 ? begin - shown_columns / 2 : 0;
    line = line.substr(cut, shown_columns);
    begin -= cut;
    end -= std::min(end, cut);
  }
  end = std::clamp(end, begin + 1, std::max(line.size(), begin + 1));
  std::string margin(line.substr(0, begin));
  // A character is one column, however many bytes it takes; tabs stay, so that the caret stands
  // where the terminal puts the text.
  std::erase_if(margin, [](char c) { return (c & 0xC0) == 0x80; });
  std::replace_if(
      margin.begin(), margin.end(), [](char c) { return c != '\t'; }, ' ');
  const auto marked = begin < line.size() ? characters_in(line.substr(begin, end - begin)) : 1;
  const auto caret = "^" + std::string(marked - 1, '~');
  return fmt::format("    {}\n    {}{}\n", printable(line), margin, painted(caret, "1;32", colour));
}

std::string place(const Source& source, const Range& range) {
  return fmt::format("{}:{}:{}", printable(source.name), range.begin.line, range.begin.column);
}

// Where the words of an edit begin, not the white space before them; and what it does there.
struct Described {
  unsigned line = 0;
  std::string action;
};

Described described(const Edit& edit, const Source& source) {
  const auto whole = text_of(source, edit.range);
  const auto old = trimmed(whole);
  const auto words = whole.begin() + static_cast<std::ptrdiff_t>(whole.find(old));
  const auto line =
      edit.range.begin.line + static_cast<unsigned>(std::count(whole.begin(), words, '\n'));
  if (old.empty() && edit.range.begin == edit.range.end)
    return {line, fmt::format("insert '{}'", trimmed(edit.replacement))};
  if (edit.replacement.empty()) return {line, fmt::format("remove '{}'", old)};
  return {line, fmt::format("replace '{}' with '{}'", old, trimmed(edit.replacement))};
}

std::string with_line(const Described& edit) {
  return fmt::format("line {}: {}", edit.line, edit.action);
}

std::string fix_text(const Fix& fix, const Source& source) {
  // Several edits are one fix.
  std::string text;
  std::string lead = fix.safe ? "  fix: " : "  perhaps: ";
  for (const auto& edit : fix.edits) {
    text += lead + with_line(described(edit, source)) + "\n";
    lead.assign(lead.size(), ' ');
  }
  return text;
}

std::string finding_text(const Finding& finding, const Source& source, Colour colour) {
  auto text = fmt::format("{}: {}: {} [{}]\n", painted(place(source, finding.range), "1", colour),
                          painted(name_of(finding.severity), code_of(finding.severity), colour),
                          printable(finding.message), finding.rule) +
              excerpt(source, finding.range, colour);
  for (const auto& note : finding.notes)
    text += fmt::format("{}: {}: {}\n", place(source, note.range),
                        painted("note", code_of(Severity::note), colour), printable(note.message)) +
            excerpt(source, note.range, colour);
  for (const auto& fix : finding.fixes) text += fix_text(fix, source);
  return text;
}

std::size_t count(const Report& report, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(report.findings.begin(), report.findings.end(),
                    [&](const Finding& finding) { return finding.severity == severity; }));
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

ordered_json place_json(const Range& range) {
  return {{"line", range.begin.line},
          {"column", range.begin.column},
          {"end_line", range.end.line},
          {"end_column", range.end.column}};
}

ordered_json fix_json(const Fix& fix) {
  ordered_json edits = ordered_json::array();
  for (const auto& edit : fix.edits) {
    auto json = place_json(edit.range);
    json["replacement"] = edit.replacement;
    edits.push_back(std::move(json));
  }
  return {{"safe", fix.safe}, {"edits", std::move(edits)}};
}

ordered_json finding_json(const Finding& finding, const Source& source) {
  ordered_json json{
      {"rule", finding.rule}, {"severity", name_of(finding.severity)}, {"file", source.name}};
  json.update(place_json(finding.range));
  json["message"] = finding.message;
  json["notes"] = ordered_json::array();
  for (const auto& note : finding.notes) {
    auto note_json = place_json(note.range);
    note_json["message"] = note.message;
    json["notes"].push_back(std::move(note_json));
  }
  json["fixes"] = ordered_json::array();
  for (const auto& fix : finding.fixes) json["fixes"].push_back(fix_json(fix));
  return json;
}

// Whether an error of one of these rules or families was found.
bool has_error(const Report& report, std::initializer_list<std::string_view> names) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
    return finding.severity == Severity::error &&
           std::any_of(names.begin(), names.end(), [&](std::string_view name) {
             return finding.rule == name || finding.rule.starts_with(fmt::format("{}.", name));
           });
  });
}

// The first type of regression that holds; null where there is none, or where the grammar is broken
// and so nothing can be said.
ordered_json regression_type(const Report& report) {
  std::optional<int> first;
  for (const auto& finding : report.findings) {
    if (finding.severity != Severity::error || !finding.rule.starts_with("degenerate.")) continue;
    const bool none =
        finding.rule == "degenerate.no_kernel" || finding.rule == "degenerate.missing_kernel";
    const int type = none ? 1 : finding.rule == "degenerate.undispatched_kernel" ? 2 : 3;
    first = std::min(first.value_or(type), type);
  }
  return first ? ordered_json(*first) : ordered_json(nullptr);
}

ordered_json kernel_check(const Report& report) {
  ordered_json passed = nullptr;  // a kernel may be hidden behind what did not compile
  if (report.compiled) passed = regression_type(report) != 1 && !report.kernels.empty();
  return {{"passed", std::move(passed)}, {"kernels", report.kernels}};
}

// Null where no host is given, or where it cannot be followed.
ordered_json dispatch_check(const Report& report) {
  const auto& host = report.expectation.host;
  ordered_json passed = nullptr;
  std::set<std::string> called;
  if (host) {
    for (const auto& dispatch : host->dispatched) called.insert(dispatch.kernel);
    const bool failed = has_error(report, {"degenerate.undispatched_kernel"});
    const bool all_called =
        std::all_of(report.kernels.begin(), report.kernels.end(),
                    [&](const std::string& kernel) { return called.contains(kernel); });
    const bool known = all_called || (host->dispatches_known && host->names_known) || failed;
    if (report.compiled && known) passed = !failed;
  }
  return {{"passed", std::move(passed)}, {"called", called}};
}

ordered_json fallback_check(const Report& report) {
  const auto& host = report.expectation.host;
  ordered_json passed = nullptr;
  ordered_json violations = ordered_json::array();
  for (const auto& finding : report.findings) {
    if (finding.rule != "degenerate.cpu_fallback") continue;
    const auto work =
        std::find_if(host->cpu_work.begin(), host->cpu_work.end(), [&](const CpuWork& each) {
          const auto [file, range] = host->place(each.range);
          return file->name == finding.file && range == finding.range;
        });
    violations.push_back({{"file", finding.file},
                          {"line", finding.range.begin.line},
                          {"call", work == host->cpu_work.end() ? "" : work->call},
                          {"reason", finding.message}});
  }
  if (host && report.compiled && (host->dispatches_known || !violations.empty()))
    passed = !has_error(report, {"degenerate.cpu_fallback"});
  return {{"passed", std::move(passed)}, {"violations", std::move(violations)}};
}

// What to do first.
ordered_json suggestion(const Report& report) {
  for (const auto& finding : report.findings) {
    if (finding.severity != Severity::error) continue;
    const auto start = fmt::format("{}line {}: {}", finding.file.empty() ? "" : finding.file + " ",
                                   finding.range.begin.line, finding.message);
    if (finding.fixes.empty())
      return fmt::format("{} (see msci-lint --explain {})", start, finding.rule);
    std::vector<std::string> edits;
    for (const auto& edit : finding.fixes.front().edits)
      edits.push_back(with_line(described(edit, report.source_of(finding))));
    return fmt::format("{}; {}", start, fmt::join(edits, "; "));
  }
  return nullptr;
}

// What a workflow command cannot hold, as GitHub wants it written; `more` within properties.
std::string escaped(std::string_view text, std::string_view more) {
  std::string escaped;
  for (const char c : text)
    if (std::string_view("%\r\n").find(c) != std::string_view::npos ||
        more.find(c) != std::string_view::npos)
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      escaped += c;
  return escaped;
}

std::string github_command(const Finding& finding, const Source& source) {
  const auto property = [](std::string_view text) { return escaped(text, ":,"); };
  const auto& [begin, end] = finding.range;
  auto place = fmt::format("file={},line={},endLine={}", property(source.name), begin.line,
                           std::max(begin.line, end.line));
  // GitHub takes columns only within one line.
  if (begin.line == end.line)
    place += fmt::format(",col={},endColumn={}", begin.column, end.column);
  return fmt::format("::{} {},title={}::{}\n",
                     finding.severity == Severity::note ? "notice" : name_of(finding.severity),
                     place, property(finding.rule), escaped(valid_utf8(finding.message), ""));
}

}  // namespace

std::string to_text(const Report& report, Colour colour) {
  std::string text;
  for (const auto& finding : report.findings)
    text += finding_text(finding, report.source_of(finding), colour);
  return text;
}

Counts& Counts::operator+=(const Counts& other) {
  errors += other.errors;
  warnings += other.warnings;
  notes += other.notes;
  return *this;
}

Counts counts_of(const Report& report) {
  return {.errors = count(report, Severity::error),
          .warnings = count(report, Severity::warning),
          .notes = count(report, Severity::note)};
}

Counts counts_of(const Linting& linting) {
  Counts counts;
  for (const auto& report : linting.reports) counts += counts_of(report);
  return counts;
}

std::string summary(const Counts& counts, std::size_t files) {
  if (counts == Counts{}) return fmt::format("{}: nothing found\n", counted(files, "file"));
  return fmt::format("{}: {}, {}, {}\n", counted(files, "file"), counted(counts.errors, "error"),
                     counted(counts.warnings, "warning"), counted(counts.notes, "note"));
}

std::string to_json(const Report& report) {
  ordered_json diagnostics = ordered_json::array();
  for (const auto& finding : report.findings)
    diagnostics.push_back(finding_json(finding, report.source_of(finding)));
  const ordered_json json{
      {"file", report.source.name},
      {"valid", report.valid()},
      {"regression_type", regression_type(report)},
      {"checks",
       {{"kernel_exists", kernel_check(report)},
        {"kernel_dispatched", dispatch_check(report)},
        {"no_cpu_fallback", fallback_check(report)},
        {"metal_grammar", {{"passed", !has_error(report, {"metal", "resource", "security"})}}}}},
      {"diagnostics", std::move(diagnostics)},
      {"suggestion", suggestion(report)}};
  // File names and messages may quote bytes that are no UTF-8.
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string to_github(const Report& report) {
  std::string text;
  for (const auto& finding : report.findings)
    text += github_command(finding, report.source_of(finding));
  return text;
}

std::string title_of(const Fix& fix, const Source& source) {
  std::string title;
  for (const auto& edit : fix.edits)
    title += (title.empty() ? "" : ", ") + described(edit, source).action;
  return title;
}

std::string rule_list(std::span<const ListedRule> rules) {
  std::size_t width = 0;
  for (const auto& rule : rules) width = std::max(width, rule.id.size());
  std::string text;
  for (const auto& rule : rules)
    text += fmt::format("{:{}}  {:7}  {}\n", rule.id, width, name_of(rule.rule->severity),
                        rule.summary());
  return text;
}

}  // namespace msci
