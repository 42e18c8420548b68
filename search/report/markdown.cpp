#include <fmt/format.h>
#include <fmt/ranges.h>

#include "search/report/summary.h"

namespace msci {
namespace {

// A cell is one line, and its bars do not separate columns.
std::string markdown_cell(const std::string& words) {
  std::string safe;
  for (const char c : words) {
    if (c == '|' || c == '\\' || c == '<' || c == '*' || c == '`' || c == '[') safe += '\\';
    safe += c == '\n' || c == '\r' ? ' ' : c;
  }
  return safe;
}

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const auto& each : cells) text += " " + markdown_cell(each) + " |";
  return text + "\n";
}

std::string to_markdown(const Table& table) {
  auto text = fmt::format("\n## {}\n\n", table.title);
  if (!table.note.empty()) text += table.note + "\n\n";
  text += line(table.columns) + "|";
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += i < table.text_columns ? "---|" : "---:|";
  text += "\n";
  for (const auto& row : table.rows) text += line(row.cells);
  return text;
}

}  // namespace

std::string to_markdown(const Summary& summary) {
  std::string text = "# msci report\n\n";
  for (const auto& sentence : conclusions(summary)) text += sentence + "\n\n";
  text += headline(summary) + "\n";
  if (!summary.origin.empty()) text += "\n" + summary.origin + "\n";
  for (const auto& table : tables_of(summary)) text += to_markdown(table);
  return text;
}

}  // namespace msci
