#include <fmt/format.h>

#include "base/xml.h"
#include "evaluator/report/charts.h"
#include "evaluator/report/page.h"
#include "evaluator/report/svg.h"
#include "evaluator/report/tables.h"

namespace msci {
namespace {

// Colours keep a contrast of 4.5 to 1 against their ground in both schemes. The five line styles
// differ in their dashes, too, for those who see few colours.
constexpr const char* style = R"(
:root { color-scheme: light dark; --ground: #fff; --ink: #1d2433; --dim: #5a6272; --rule: #dfe3ea;
  --bar: #2f6fb5; --track: #edf0f5; --bad: #b3261e; --seed: #8a5a00;
  --s0: #2f6fb5; --s1: #a8480b; --s2: #2a7a46; --s3: #8a3fa0; --s4: #6b6b00; }
@media (prefers-color-scheme: dark) { :root { --ground: #14181f; --ink: #e6e9ef; --dim: #a3acbb;
  --rule: #333b48; --bar: #6aa9ec; --track: #232a35; --bad: #ff8a80; --seed: #f0b74a;
  --s0: #6aa9ec; --s1: #f29a5c; --s2: #6fcf8e; --s3: #d39be6; --s4: #cfcf5a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 75rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .25rem; }
p { margin: .25rem 0 .75rem; max-width: 50rem; color: var(--dim); }
.charts { display: grid; gap: 1rem 2rem; align-items: start;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); }
figure { margin: 1rem 0 0; max-width: 30rem; } figcaption { font-weight: 600; margin-bottom: .25rem; }
figcaption span { display: block; font-weight: 400; color: var(--dim); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap; }
th.words, td.words { text-align: left; } td.words { white-space: normal; overflow-wrap: break-word; max-width: 40rem; }
th { color: var(--dim); font-weight: 600; vertical-align: bottom; white-space: normal; }
tr.warn td { color: var(--bad); }
summary { cursor: pointer; margin: 2rem 0 .25rem; font-size: 1.15rem; font-weight: 700; }
svg { display: block; width: 100%; height: auto; font: 11px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg .strong { font-weight: 700; } svg .warn { fill: var(--bad); }
.grid { stroke: var(--rule); } .axis { stroke: var(--dim); }
.track { fill: var(--track); } .bar { fill: var(--bar); } .bar.bad { fill: var(--bad); }
.roof { fill: none; stroke: var(--ink); stroke-width: 2; }
.candidate { fill: var(--bar); fill-opacity: .55; stroke: var(--bar); }
.seed { fill: var(--ground); stroke: var(--seed); stroke-width: 2; }
.silent { fill: var(--bad); stroke: var(--ground); }
.diagonal { stroke: var(--dim); stroke-width: 1.5; } .one { stroke: var(--dim); stroke-dasharray: 3 3; }
.line { fill: none; stroke-width: 1.75; } .failed { fill: none; stroke-width: 1.5; }
.s0 { stroke: var(--s0); } .s1 { stroke: var(--s1); } .s2 { stroke: var(--s2); }
.s3 { stroke: var(--s3); } .s4 { stroke: var(--s4); } .dot { fill: var(--ground); }
.s1.line { stroke-dasharray: 7 3; } .s2.line { stroke-dasharray: 2 2; }
.s3.line { stroke-dasharray: 8 3 2 3; } .s4.line { stroke-dasharray: 12 4; }
)";

std::string figure(std::string_view id, std::string_view title, std::string_view note,
                   const std::string& svg) {
  return fmt::format("<figure id=\"{}\"><figcaption>{}<span>{}</span></figcaption>\n{}</figure>\n",
                     id, escape_xml(title), escape_xml(note), svg);
}

std::string charts(const Summary& summary) {
  std::string text;
  if (const auto svg = cascade_chart(summary))
    text += figure("cascade", "Cascade",
                   "Share of candidates that pass each stage and those before.", *svg);
  if (const auto svg = held_out_chart(summary))
    text +=
        figure("held-out", "Does it carry over?",
               "Speed-up at the held-out size over the speed-up at the tuned sizes. Below the "
               "diagonal less is left; red: faster where it was tuned, slower than the seed where "
               "it was not.",
               *svg);
  for (const auto& [device, svg] : roofline_charts(summary))
    text += figure("roofline", "Roofline",
                   device + ": each size of each right kernel; rings are seeds, discs candidates.",
                   svg);
  if (const auto svg = diagnostics_chart(summary))
    text += figure("diagnostics", "Diagnostics most often seen",
                   "Files in which a rule spoke; red: errors.", *svg);
  return text;
}

std::string convergence(const Summary& summary) {
  const auto all = convergence_charts(summary);
  if (all.empty()) return {};
  std::string text =
      "<h2>Convergence</h2>\n<p>Best score so far by iteration; dots are the scores of right "
      "candidates, crosses iterations that failed.</p>\n<div class=\"charts\">\n";
  for (const auto& [task, svg] : all)
    text += figure("convergence-" + escape_xml(task), task.empty() ? "no task" : task, "", svg);
  return text + "</div>\n";
}

std::string cells_of(const Table& table, const std::vector<std::string>& cells,
                     std::string_view tag) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i)
    text += fmt::format("<{}{}>{}</{}>", tag, i < table.text_columns ? " class=\"words\"" : "",
                        escape_xml(cells[i]), tag);
  return text;
}

std::string to_html(const Table& table) {
  std::string text = table.is_long
                         ? fmt::format("<details><summary>{}</summary>\n", escape_xml(table.title))
                         : fmt::format("<h2>{}</h2>\n", escape_xml(table.title));
  if (!table.note.empty()) text += fmt::format("<p>{}</p>\n", escape_xml(table.note));
  text += fmt::format(
      "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n",
      cells_of(table, table.columns, "th"));
  for (const auto& row : table.rows)
    text += fmt::format("<tr{}>{}</tr>\n", row.warn ? " class=\"warn\"" : "",
                        cells_of(table, row.cells, "td"));
  return text + "</tbody></table></div>\n" + (table.is_long ? "</details>\n" : "");
}

}  // namespace

std::string to_html(const Summary& summary, const std::string& title) {
  auto text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{0}</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p>{2}</p>\n",
      escape_xml(title), style, escape_xml(headline(summary)));
  const auto tables = tables_of(summary);
  if (!tables.empty()) text += to_html(tables.front());
  text += "<div class=\"charts\">\n" + charts(summary) + "</div>\n" + convergence(summary);
  for (std::size_t i = 1; i < tables.size(); ++i) text += to_html(tables[i]);
  return text + "</body>\n</html>\n";
}

}  // namespace msci
