#include <fmt/format.h>

#include <algorithm>

#include "base/formats/diff.h"
#include "base/formats/xml.h"
#include "base/text.h"
#include "search/report/html/pages.h"

namespace msci {
namespace {

constexpr std::size_t most_kernels = 3;
constexpr std::size_t long_diff = 120;  // lines; a page folds longer ones

std::size_t line_count(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// The lines of a unified diff without its two lines of names, each with its kind as a class.
std::string diff_lines(std::string_view diff) {
  std::string text;
  for (unsigned number = 3; number <= line_count(diff); ++number) {
    const auto line = line_at(diff, number);
    const auto kind = line.starts_with('+')   ? "added"
                      : line.starts_with('-') ? "removed"
                      : line.starts_with('@') ? "place"
                                              : "";
    text += fmt::format("<span class=\"{}\">{}</span>\n", kind, escape_xml(printable(line)));
  }
  return text;
}

std::string folded(std::string_view title, bool is_open, const std::string& content) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", is_open ? " open" : "",
                     title, content);
}

std::string code(std::string_view css, const std::string& lines) {
  return fmt::format("<pre class=\"{}\" tabindex=\"0\">{}</pre>\n", css, lines);
}

std::string whole(const std::string& source) {
  std::string text;
  for (unsigned number = 1; number <= line_count(source) + (source.ends_with('\n') ? 0 : 1);
       ++number)
    text += escape_xml(printable(line_at(source, number))) + "\n";
  return code("code", text);
}

std::string section(const RatedCandidate& best, const std::string& link, const ResultRecord* seed) {
  const auto source = source_of(best.record);
  if (!source) return {};
  auto text = fmt::format("<h2>Best kernel of {}: <a href=\"{}\">{}</a></h2>\n",
                          escape_xml(best.record.task), link, escape_xml(best.record.name));
  const auto seed_source = seed ? source_of(*seed) : std::nullopt;
  if (!seed_source) return text + folded("Source", true, whole(*source));
  const auto diff = unified_diff("kernel.metal", *seed_source, *source);
  if (diff.empty()) return text + "<p>It has the seed's text.</p>\n";
  text += folded("Changes to the seed", line_count(diff) <= long_diff,
                 code("code diff", diff_lines(diff)));
  return text + folded("Source", false, whole(*source));
}

}  // namespace

std::string best_kernels(const Summary& summary, const CandidateLinks& links) {
  if (summary.tasks.size() > most_kernels) return {};
  std::string text;
  for (const auto& task : summary.tasks) {
    if (!task.best) continue;
    const auto& best = summary.candidates[*task.best];
    text += section(best, links.of(*task.best), seed_of(best.record, summary.seeds));
  }
  return text;
}

}  // namespace msci
