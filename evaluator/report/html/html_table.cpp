#include "evaluator/report/html/html_table.h"

#include <fmt/format.h>

#include "base/formats/xml.h"

namespace msci {
namespace {

using Target = CandidateLinks::Target;

std::string link_of(const Table& table, const Table::Row& row, std::size_t column,
                    const CandidateLinks& links) {
  if (column >= table.text_columns) return {};
  if (!row.candidate) return links.of(row.cells[column]);
  // In one page, links lead to the rows of the table of candidates, which need none.
  const bool is_target = links.target() == Target::row && table.title == candidates_title;
  return column == table.name_column && !is_target ? links.of(*row.candidate) : "";
}

std::string cell(std::string_view tag, bool is_text, const std::string& content) {
  return fmt::format("<{0}{1}>{2}</{0}>", tag, is_text ? " class=\"words\"" : "", content);
}

std::string row_of(const Table& table, const Table::Row& row, const CandidateLinks& links) {
  std::string text = row.warn ? "<tr class=\"warn\"" : "<tr";
  if (row.candidate && table.title == candidates_title)
    text += fmt::format(" id=\"{}\"", CandidateLinks::id(*row.candidate));
  text += ">";
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const auto words = escape_xml(row.cells[i]);
    const auto link = link_of(table, row, i, links);
    text += cell("td", i < table.text_columns,
                 link.empty() ? words : fmt::format("<a href=\"{}\">{}</a>", link, words));
  }
  return text + "</tr>\n";
}

}  // namespace

CandidateLinks::CandidateLinks(const Summary& summary, Target target) : target_(target) {
  for (std::size_t i = 0; i < summary.candidates.size(); ++i)
    by_name_.emplace(summary.candidates[i].record.name, i);
}

std::string CandidateLinks::id(std::size_t candidate) {
  return fmt::format("candidate-{}", candidate + 1);
}

std::string CandidateLinks::of(std::size_t candidate) const {
  return target_ == Target::row ? "#" + id(candidate) : page_name(candidate);
}

std::string CandidateLinks::of(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? "" : of(found->second);
}

std::string page_name(std::size_t candidate) { return CandidateLinks::id(candidate) + ".html"; }

std::string html_table(const Table& table, const CandidateLinks& links) {
  const bool is_open = links.target() == Target::page && table.title == candidates_title;
  std::string text = fmt::format("<h2>{}</h2>\n", escape_xml(table.title));
  if (table.is_long)
    text = fmt::format("<details{}><summary>{}</summary>\n", is_open ? " open" : "",
                       escape_xml(table.title));
  if (!table.note.empty()) text += fmt::format("<p>{}</p>\n", escape_xml(table.note));
  text += "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += cell("th", i < table.text_columns, escape_xml(table.columns[i]));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) text += row_of(table, row, links);
  return text + "</tbody></table></div>\n" + (table.is_long ? "</details>\n" : "");
}

}  // namespace msci
