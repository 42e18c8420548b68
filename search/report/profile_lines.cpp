#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "search/report/summary.h"

namespace msci {
namespace {

std::string times_text(double touched, double least) {
  return least > 0 ? fmt::format("{:.1f}", touched / least) : no_value;
}

// The lines of all launches of a pass.
std::map<unsigned, LineProfile> lines_of(const ProfilePage::Size& size) {
  std::map<unsigned, LineProfile> lines;
  for (const auto& launch : size.launches)
    for (const auto& each : launch.lines) {
      auto& line = lines[each.line];
      const double instructions = launch.launches * each.instructions;
      const double all = line.instructions + instructions;
      if (all > 0)
        line.active_lanes =
            (line.active_lanes * line.instructions + each.active_lanes * instructions) / all;
      line.instructions = all;
      line.cycles += launch.launches * each.cycles;
      line.lines += launch.launches * each.lines;
      line.least_lines += launch.launches * each.least_lines;
      line.bank_cycles += launch.launches * each.bank_cycles;
      line.least_bank_cycles += launch.launches * each.least_bank_cycles;
    }
  lines.erase(0);  // unknown
  return lines;
}

// Markdown collapses spaces, but not these.
std::string with_indentation(std::string_view line) {
  const auto spaces = std::min(line.find_first_not_of(" \t"), line.size());
  std::string text;
  for (std::size_t i = 0; i < spaces; ++i) text += line[i] == '\t' ? "\u00a0\u00a0" : "\u00a0";
  return text + std::string(line.substr(spaces));
}

// The advice on each kernel once.
std::string advice_text(const ProfilePage::Size& size) {
  std::string text;
  for (const auto& launch : size.launches) {
    const auto sentence = fmt::format(" {}: {}.", launch.kernel, launch.advice);
    if (text.find(sentence) == std::string::npos) text += sentence;
  }
  return text;
}

}  // namespace

ProfileLines::ProfileLines(const ProfilePage& page)
    : page_(page), lines_(lines_of(page.sizes.back())) {
  for (const auto& [number, line] : lines_) cycles_ += line.cycles;
}

std::vector<std::string> ProfileLines::columns() {
  return {"cycles", "active lanes", "device lines", "bank turns"};
}

double ProfileLines::share(unsigned line) const {
  const auto found = lines_.find(line);
  return found == lines_.end() || cycles_ <= 0 ? 0 : found->second.cycles / cycles_;
}

std::vector<std::string> ProfileLines::cells(unsigned number) const {
  const auto found = lines_.find(number);
  if (found == lines_.end()) return std::vector<std::string>(columns().size());
  const auto& line = found->second;
  return {cycles_ > 0 ? fmt::format("{:.1f} %", 100 * share(number)) : no_value,
          line.instructions > 0 ? fmt::format("{:.0f}", line.active_lanes) : no_value,
          times_text(line.lines, line.least_lines),
          times_text(line.bank_cycles, line.least_bank_cycles)};
}

std::string ProfileLines::note() const {
  const auto& size = page_.sizes.back();
  return fmt::format(
      "{} ms a pass, as predicted.{} Cycles: share of issue cycles. Active lanes: of 32. Device "
      "lines: 128-byte lines touched ÷ minimum needed. Bank turns: likewise for threadgroup banks.",
      milliseconds_text(size.seconds), advice_text(size));
}

unsigned lines_in(std::string_view text) {
  const auto ends = static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
  return ends + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

Table profile_table(const ProfilePage& page) {
  Table table{.columns = {"line", "source"}, .text_columns = 2, .code_column = 1, .is_long = true};
  if (page.sizes.empty()) return table;
  const ProfileLines profile(page);
  for (auto& column : ProfileLines::columns()) table.columns.push_back(std::move(column));
  table.title = fmt::format("Profile of {}: {} {} on {}", page.file, page.task,
                            page.sizes.back().label, page.chip);
  table.note = profile.note();
  for (unsigned number = 1; number <= lines_in(page.source); ++number) {
    Table::Row row{{std::to_string(number), with_indentation(line_at(page.source, number))}};
    for (auto& cell : profile.cells(number)) row.cells.push_back(std::move(cell));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace msci
