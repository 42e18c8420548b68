#include <fmt/format.h>

#include <map>

#include "base/formats/xml.h"
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
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 28rem), 1fr)); }
figure { margin: 1rem 0 0; max-width: 44rem; } figcaption { font-weight: 600; margin-bottom: .25rem; }
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
a { color: var(--bar); }
th button { all: unset; cursor: pointer; } th button:focus-visible { outline: 2px solid var(--bar); }
th[aria-sort=ascending] button::after { content: " ▲"; } th[aria-sort=descending] button::after { content: " ▼"; }
input[type=search] { font: inherit; color: inherit; background: var(--track); border: 1px solid var(--dim);
  border-radius: 4px; padding: .2rem .5rem; margin: 0 0 .5rem; width: min(100%, 20rem); }
tr:target td { background: var(--track); }
@media (max-width: 40rem) { body { padding: .6rem; } th, td { padding: .35rem .4rem; } }
@media print { :root { color-scheme: light; --ground: #fff; --ink: #000; --dim: #333; --rule: #bbb; }
  body { max-width: none; font-size: 10pt; } input { display: none; } .scroll { overflow: visible; }
  figure, tr { break-inside: avoid; } h2 { break-after: avoid; } thead { display: table-header-group; }
  details:not([open]) { display: none; } }
)";

// Sorts and filters tables; the page is complete without it. The policy of the page allows the
// script with this hash and no other, so a text of a candidate that got through the escaping could
// not run either.
constexpr const char* script = R"(
for (const table of document.querySelectorAll('table')) {
  const body = table.tBodies[0], rows = [...body.rows];
  if (rows.length < 2) continue;
  const number = text => parseFloat(text.replace('–', ''));
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement('button');
    button.append(...head.childNodes);
    head.append(button);
    button.onclick = () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const key = row => row.cells[column].textContent;
      const order = (a, b) => {
        const [x, y] = [number(key(a)), number(key(b))];
        if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;  // what has no figure comes last
        return (down ? -1 : 1) * (isNaN(x) ? key(a).localeCompare(key(b)) : x - y);
      };
      body.append(...[...body.rows].sort(order));
    };
  });
  if (rows.length < 8) continue;
  const search = document.createElement('input');
  search.type = 'search';
  search.placeholder = 'Filter rows';
  search.setAttribute('aria-label', 'Filter rows');
  search.oninput = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
    }
  };
  table.parentNode.before(search);
}
)";
constexpr const char* script_hash =
    "c+j0ytYRVnTs+xdZMZzPsHKG+IUu79J3OcFJJZQhQzg=";  // SHA-256, base64; the browser test fails if
                                                     // it is another

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

// The rows of the table of candidates by their names: other tables link to them.
using Anchors = std::map<std::string, std::string>;

Anchors anchors_of(const Summary& summary) {
  Anchors anchors;
  for (const auto& candidate : summary.candidates)
    anchors.emplace(candidate.record.name, fmt::format("candidate-{}", anchors.size() + 1));
  return anchors;
}

bool is_candidates(const Table& table) { return table.title == candidates_title; }

std::string cell_text(const Table& table, const std::string& cell, std::size_t column,
                      const Anchors& anchors) {
  const auto anchor = anchors.find(cell);
  if (anchor == anchors.end() || column >= table.text_columns || is_candidates(table))
    return escape_xml(cell);
  return fmt::format("<a href=\"#{}\">{}</a>", anchor->second, escape_xml(cell));
}

std::string cells_of(const Table& table, const std::vector<std::string>& cells,
                     std::string_view tag, const Anchors& anchors = {}) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i)
    text += fmt::format("<{}{}>{}</{}>", tag, i < table.text_columns ? " class=\"words\"" : "",
                        cell_text(table, cells[i], i, anchors), tag);
  return text;
}

// The attributes of a row; of two candidates with one name, the first is the one that links lead
// to.
std::string row_attributes(const Table& table, const Table::Row& row, Anchors& unused) {
  std::string text = row.warn ? " class=\"warn\"" : "";
  if (!is_candidates(table)) return text;
  if (auto anchor = unused.extract(row.cells.front()); !anchor.empty())
    text += fmt::format(" id=\"{}\"", anchor.mapped());
  return text;
}

std::string to_html(const Table& table, const Anchors& anchors) {
  std::string text = table.is_long
                         ? fmt::format("<details><summary>{}</summary>\n", escape_xml(table.title))
                         : fmt::format("<h2>{}</h2>\n", escape_xml(table.title));
  if (!table.note.empty()) text += fmt::format("<p>{}</p>\n", escape_xml(table.note));
  text += fmt::format(
      "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n",
      cells_of(table, table.columns, "th"));
  auto unused = anchors;
  for (const auto& row : table.rows)
    text += fmt::format("<tr{}>{}</tr>\n", row_attributes(table, row, unused),
                        cells_of(table, row.cells, "td", anchors));
  return text + "</tbody></table></div>\n" + (table.is_long ? "</details>\n" : "");
}

}  // namespace

std::string to_html(const Summary& summary, const std::string& title) {
  auto text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'sha256-{3}'; img-src data:\">\n<link rel=\"icon\" "
      "href=\"data:,\">\n<title>{0}</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p>{2}</p>\n",
      escape_xml(title), style, escape_xml(headline(summary)), script_hash);
  const auto tables = tables_of(summary);
  const auto anchors = anchors_of(summary);
  if (!tables.empty()) text += to_html(tables.front(), anchors);
  text += "<div class=\"charts\">\n" + charts(summary) + "</div>\n" + convergence(summary);
  for (std::size_t i = 1; i < tables.size(); ++i) text += to_html(tables[i], anchors);
  return text + fmt::format("<script>{}</script>\n</body>\n</html>\n", script);
}

}  // namespace msci
