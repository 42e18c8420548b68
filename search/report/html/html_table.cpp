#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/formats/xml.h"
#include "search/report/html/pages.h"

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

std::string cell(std::string_view tag, std::string_view css, const std::string& content) {
  return fmt::format("<{0}{1}>{2}</{0}>", tag, css.empty() ? "" : fmt::format(" class=\"{}\"", css),
                     content);
}

std::string_view css_of(const Table& table, std::size_t column) {
  if (column == table.code_column) return "words line";
  return column < table.text_columns ? "words" : "";
}

// A word of letters, digits, '.', '_' and '-' that both a file and an id can have.
std::string word_of(std::string_view name) {
  constexpr std::size_t longest = 100;
  std::string word;
  for (const char c : name.substr(0, longest)) {
    const bool stays = std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_';
    if (stays)
      word += c;
    else if (!word.empty() && !word.ends_with('-'))
      word += '-';
  }
  return word;
}

// By the names of the candidates; of those with the same one, by their tasks, and then by their
// order.
std::vector<std::string> ids_of(const Summary& summary) {
  std::map<std::string, std::size_t> with_name;
  for (const auto& candidate : summary.candidates) ++with_name[word_of(candidate.record.name)];
  std::vector<std::string> ids;
  std::map<std::string, std::size_t> taken;
  for (const auto& candidate : summary.candidates) {
    const auto& record = candidate.record;
    auto id = "candidate-" + word_of(record.name);
    if (with_name[word_of(record.name)] > 1) id += "-" + word_of(record.task);
    const auto others = taken[id]++;
    ids.push_back(others == 0 ? id : fmt::format("{}-{}", id, others + 1));
  }
  return ids;
}

// A long name keeps its beginning and its end; a reader sees all of it on hovering, and a script
// finds it there.
std::string shown(std::string_view name) {
  constexpr std::size_t longest = 48;
  const bool is_plain = std::ranges::all_of(name, [](unsigned char c) { return c < 0x80; });
  if (name.size() <= longest || !is_plain) return escape_xml(name);
  const auto half = longest / 2;
  return fmt::format("<span title=\"{}\">{}…{}</span>", escape_xml(name),
                     escape_xml(name.substr(0, half)), escape_xml(name.substr(name.size() - half)));
}

std::string row_of(const Table& table, const Table::Row& row, const CandidateLinks& links) {
  std::string text = row.warn ? "<tr class=\"warn\"" : "<tr";
  if (row.candidate && table.title == candidates_title)
    text += fmt::format(" id=\"{}\"", links.id(*row.candidate));
  text += ">";
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const auto words = i == table.name_column ? shown(row.cells[i]) : escape_xml(row.cells[i]);
    const auto link = link_of(table, row, i, links);
    text += cell("td", css_of(table, i),
                 link.empty() ? words : fmt::format("<a href=\"{}\">{}</a>", link, words));
  }
  return text + "</tr>\n";
}

}  // namespace

CandidateLinks::CandidateLinks(const Summary& summary, Target target)
    : target_(target), ids_(ids_of(summary)) {
  for (std::size_t i = 0; i < summary.candidates.size(); ++i)
    by_name_.emplace(summary.candidates[i].record.name, i);
}

std::string CandidateLinks::of(std::size_t candidate) const {
  return target_ == Target::row ? "#" + id(candidate) : id(candidate) + ".html";
}

std::string CandidateLinks::of(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? "" : of(found->second);
}

std::string html_table(const Table& table, const CandidateLinks& links) {
  const bool is_open = links.target() == Target::page && table.title == candidates_title;
  std::string text = fmt::format("<h2>{}</h2>\n", escape_xml(table.title));
  if (table.is_long)
    text = fmt::format("<details{}><summary>{}</summary>\n", is_open ? " open" : "",
                       escape_xml(table.title));
  if (!table.note.empty()) text += fmt::format("<p>{}</p>\n", escape_xml(table.note));
  text += "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += cell("th", i < table.text_columns ? "words" : "", escape_xml(table.columns[i]));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) text += row_of(table, row, links);
  return text + "</tbody></table></div>\n" + (table.is_long ? "</details>\n" : "");
}

}  // namespace msci
