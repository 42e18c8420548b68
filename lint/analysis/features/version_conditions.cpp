#include <algorithm>
#include <string_view>

#include "lint/analysis/features/used_features.h"

namespace msci {
namespace {

bool asks(std::string_view condition) {
  for (const std::string_view word : {"__METAL_VERSION__", "__has_include", "__HAVE_"})
    if (condition.find(word) != std::string_view::npos) return true;
  return false;
}

// The directive that a line begins, and what follows it; "" for any other line.
std::pair<std::string_view, std::string_view> directive_of(std::string_view line) {
  constexpr std::string_view blanks = " \t";
  const auto skip = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  };
  skip();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip();
  const auto word = line.substr(0, line.find_first_of(" \t(!"));
  return {word, line.substr(word.size())};
}

// Whether each line, from 1 on, lies below a condition that asks.
std::vector<bool> covered_lines(std::string_view text) {
  std::vector<bool> covered{false};
  std::vector<bool> open;  // the conditions around a line, outermost first: whether they ask
  while (true) {
    const auto end = text.find('\n');
    const auto [word, condition] = directive_of(text.substr(0, end));
    if (word == "if" || word == "ifdef" || word == "ifndef")
      open.push_back(asks(condition));
    else if (word == "elif" && !open.empty())
      open.back() = open.back() || asks(condition);
    else if (word == "endif" && !open.empty())
      open.pop_back();
    covered.push_back(std::ranges::find(open, true) != open.end());
    if (end == std::string_view::npos) return covered;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

bool VersionConditions::cover(const Place& place) {
  const auto [known, is_new] = covered_.try_emplace(place.file);
  if (is_new) known->second = covered_lines(unit_.source_of(place).text);
  const auto line = place.range.begin.line;
  return line < known->second.size() && known->second[line];
}

}  // namespace msci
