#include <fmt/format.h>

#include "base/formats/xml.h"
#include "search/report/charts/charts.h"
#include "search/report/html/pages.h"
#include "search/report/summary.h"

namespace msci {
namespace {

std::string charts(const Summary& summary) {
  using enum ChartWidth;
  std::string text;
  if (const auto svg = cascade_chart(summary))
    text += html_figure("cascade", "How far candidates come",
                        "Share of candidates that pass each stage and those before.", *svg);
  if (const auto svg = diagnostics_chart(summary))
    text += html_figure("diagnostics", "Most frequent findings",
                        "Files in which a rule found something; red: errors.", *svg);
  if (const auto svg = held_out_chart(summary, narrow))
    text += html_figure(
        "held-out", "Does it carry over?",
        "Speed-up at the held-out size over the speed-up at the tuned sizes. Below the line, the "
        "gain shrinks at the held-out size. Red: slower than the seed there.",
        *svg, *held_out_chart(summary, wide));
  const auto rooflines = roofline_charts(summary, narrow);
  const auto wide_rooflines = roofline_charts(summary, wide);
  for (std::size_t i = 0; i < rooflines.size(); ++i)
    text += html_figure(
        "roofline", "Roofline",
        rooflines[i].device +
            ": each size of each right kernel; rings are seeds, discs candidates. Names are those "
            "of the seeds' tasks, and of the best candidate of each task.",
        rooflines[i].svg, wide_rooflines[i].svg);
  return text;
}

std::string convergence(const Summary& summary) {
  const auto all = convergence_charts(summary);
  if (all.empty()) return {};
  std::string text =
      "<h2>Convergence</h2>\n<p>Best score so far by iteration; dots are the scores of right "
      "candidates, crosses iterations that failed.</p>\n<div class=\"charts\">\n";
  for (const auto& [task, svg] : all)
    text += html_figure("convergence-" + task, task.empty() ? "no task" : task, "", svg);
  return text + "</div>\n";
}

std::string summary_page(const Summary& summary, const std::string& title,
                         const CandidateLinks& links) {
  auto text = fmt::format("<h1>{}</h1>\n", escape_xml(title));
  for (const auto& sentence : conclusions(summary))
    text += fmt::format("<p class=\"headline\">{}</p>\n", escape_xml(sentence));
  text += fmt::format("<p>{}</p>\n", escape_xml(headline(summary)));
  if (!summary.origin.empty())
    text += fmt::format("<p class=\"origin\">{}</p>\n", escape_xml(summary.origin));
  const auto tables = tables_of(summary);
  std::size_t next = 0;
  if (!tables.empty()) text += html_table(tables[next++], links);
  text += best_kernels(summary, links);
  if (next < tables.size() && tables[next].title == candidates_title)
    text += html_table(tables[next++], links);
  text += "<div class=\"charts\">\n" + charts(summary) + "</div>\n" + convergence(summary);
  for (; next < tables.size(); ++next) text += html_table(tables[next], links);
  return html_page(title, text);
}

}  // namespace

std::string to_html(const Summary& summary, const std::string& title) {
  return summary_page(summary, title, {summary, CandidateLinks::Target::row});
}

std::vector<ReportPage> pages_of(const Summary& summary, const std::string& title) {
  const CandidateLinks links(summary, CandidateLinks::Target::page);
  std::vector<ReportPage> pages = {{"index.html", summary_page(summary, title, links)}};
  for (std::size_t i = 0; i < summary.candidates.size(); ++i)
    pages.push_back({links.of(i), candidate_page(summary, i, title, links)});
  return pages;
}

}  // namespace msci
