#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "lint/analysis/raw_tokens.h"
#include "lint/lint.h"

namespace msci {
namespace {

// No source has more lines; larger numbers are not places in it.
constexpr unsigned most_lines = 1'000'000;

bool may_have_directives(std::string_view text) {
  for (auto at = text.find('#'); at != text.npos; at = text.find('#', at + 1)) {
    const auto rest = trimmed(text.substr(at + 1, 16));
    if (rest.starts_with("line") ||
        (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0]))))
      return true;
  }
  return false;
}

}  // namespace

std::vector<LineDirective> line_directives_in(const Source& source) {
  std::vector<LineDirective> found;
  if (!may_have_directives(source.text)) return found;
  const auto words = raw_tokens(source);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (!words[i].is("#") || !words[i].starts_line) continue;
    const auto at = words[i + 1].is("line") ? i + 2 : i + 1;
    if (at >= words.size() || words[at].starts_line) continue;
    const auto digits = words[at].text;
    LineDirective each{.line = location_at(source, words[i].offset).line,
                       .file = found.empty() ? source.name : found.back().file};
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), each.number);
    if (error != std::errc() || end != digits.data() + digits.size()) continue;
    const auto name = at + 1 < words.size() && !words[at + 1].starts_line ? words[at + 1].text : "";
    if (name.size() > 2 && name.front() == '"') each.file = name.substr(1, name.size() - 2);
    found.push_back(std::move(each));
  }
  return found;
}

std::optional<Place> presumed(const std::vector<LineDirective>& directives, const Range& range) {
  const auto next =
      std::partition_point(directives.begin(), directives.end(),
                           [&](const LineDirective& each) { return each.line < range.begin.line; });
  if (next == directives.begin()) return std::nullopt;
  const auto& last = *std::prev(next);
  const auto height = range.end.line - range.begin.line;
  const auto first = last.number + (range.begin.line - last.line - 1);
  if (first == 0 || last.number > most_lines || first + height > most_lines) return std::nullopt;
  return Place{last.file, {{first, range.begin.column}, {first + height, range.end.column}}};
}

}  // namespace msci
