#include "base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lint/at_versions.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

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
  std::replace_if(margin.begin(), margin.end(), [](char c) { return c != '\t'; }, ' ');
  const auto marked = begin < line.size() ? characters_in(line.substr(begin, end - begin)) : 1;
  const auto caret = "^" + std::string(marked - 1, '~');
  return fmt::format("    {}\n    {}{}\n", printable(line), margin, painted(caret, "1;32", colour));
}

std::string place_text(const FileReport& report, const Place& place) {
  return printable(to_string(report.shown(place), ""));
}

std::string fix_text(const Fix& fix, const Source& source) {
  std::string text;
  std::string lead = fix.safe ? "  fix: " : "  perhaps: ";
  for (const auto& edit : fix.edits) {
    text += lead + edit_text(edit, source) + "\n";
    lead.assign(lead.size(), ' ');
  }
  return text;
}

// A rule's id, on terminals as a link to its page (OSC 8).
std::string rule_text(const std::string& rule, const FormatContext& context) {
  if (context.colour == Colour::none || context.rule_pages.is_unknown()) return rule;
  return fmt::format("\033]8;;{}\033\\{}\033]8;;\033\\", context.rule_pages.url_of(rule), rule);
}

std::string finding_text(const FileReport& report, const Finding& finding,
                         const FormatContext& context) {
  const auto colour = context.colour;
  const auto& source = report.source_of(finding.place);
  auto text =
      fmt::format("{}: {}: {} [{}]\n", painted(place_text(report, finding.place), "1", colour),
                  painted(to_string(finding.severity), code_of(finding.severity), colour),
                  printable(message_with_versions(finding)), rule_text(finding.rule, context)) +
      excerpt(source, finding.place.range, colour);
  for (const auto& note : finding.notes)
    text += fmt::format("{}: {}: {}\n", place_text(report, note.place),
                        painted("note", code_of(Severity::note), colour), printable(note.message)) +
            excerpt(report.source_of(note.place), note.place.range, colour);
  for (const auto& fix : report.shown_fixes(finding)) text += fix_text(fix, source);
  return text;
}

std::string finding_text(const ComparedFinding& finding, const FormatContext& context) {
  const auto& [entry, severity, place] = finding;
  return fmt::format("{}: {}: {} [{}]\n",
                     printable(place.is_known() ? to_string(place, "") : place.file),
                     painted(to_string(severity), code_of(severity), context.colour),
                     printable(entry.message), rule_text(entry.rule, context));
}

// What is not there any more, or elsewhere, and one line that counts.
std::string to_text(const Comparison& comparison, const FormatContext& context) {
  std::string text;
  for (const auto& [from, to] : comparison.moved)
    text += fmt::format("moved from {}: {}", printable(from.place.file), finding_text(to, context));
  for (const auto& each : comparison.gone)
    text += fmt::format("gone: {}  {}\n", finding_text(each, context), printable(each.entry.line));
  if (!context.summary) return text;
  return text + fmt::format("since {}: {} new, {} gone, {} moved, {} as before\n",
                            printable(comparison.path), comparison.added.size(),
                            comparison.gone.size(), comparison.moved.size(), comparison.same);
}

}  // namespace

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string to_text(const FileReport& report, const FormatContext& context) {
  std::string text;
  for (const auto& finding : report.findings) text += finding_text(report, finding, context);
  return text;
}

std::string unproved_text(const Totals& totals) {
  if (!totals.proofs_off.empty()) return "proofs are off: " + totals.proofs_off;
  if (totals.unproved == 0) return {};
  std::vector<std::string> reasons;
  for (const auto& [reason, kernels] : totals.reasons)
    reasons.push_back(totals.reasons.size() == 1 ? reason : fmt::format("{} {}", kernels, reason));
  return fmt::format("not proved: {} of {}: {}", totals.unproved, counted(totals.kernels, "kernel"),
                     fmt::join(reasons, ", "));
}

std::string summary(const Totals& totals) {
  const auto& counts = totals.counts;
  auto text = counts == Counts{}
                  ? std::string("nothing found")
                  : fmt::format("{}, {}, {}", counted(counts.errors, "error"),
                                counted(counts.warnings, "warning"), counted(counts.notes, "note"));
  if (totals.unfinished) text += fmt::format("; {} not checked to the end", totals.unfinished);
  if (const auto unproved = unproved_text(totals); !unproved.empty()) text += "; " + unproved;
  return fmt::format("{}: {}\n", counted(totals.files, "file"), text);
}

std::string summary_line(const Totals& totals, const FormatContext& context) {
  if (totals.files == 0 || !context.summary) return {};
  return summary(totals);
}

std::string to_text(const RunResult& run, const FormatContext& context) {
  SharedFindings of_run;
  auto& said = context.said ? *context.said : of_run;
  std::string text;
  for (const auto& report : run.reports)
    for (const auto& finding : report.findings)
      if (said.is_new(finding)) text += finding_text(report, finding, context);
  if (run.comparison) text += to_text(*run.comparison, context);
  return text + summary_line(totals_of(run), context);
}

}  // namespace msci
