#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

// What an edit does, and in which line.
struct Described {
  unsigned line = 0;
  std::string action;
};

Described described(const Edit& edit, const Source& source) {
  const auto whole = text_of(source, edit.place.range);
  const auto old = trimmed(whole);
  const auto words = whole.begin() + static_cast<std::ptrdiff_t>(whole.find(old));
  const auto line =
      edit.place.range.begin.line + static_cast<unsigned>(std::count(whole.begin(), words, '\n'));
  if (old.empty() && edit.place == edit.place.start())
    return {line, fmt::format("insert '{}'", trimmed(edit.replacement))};
  if (edit.replacement.empty()) return {line, fmt::format("remove '{}'", old)};
  return {line, fmt::format("replace '{}' with '{}'", old, trimmed(edit.replacement))};
}

}  // namespace

std::string edit_text(const Edit& edit, const Source& source) {
  const auto [line, action] = described(edit, source);
  return fmt::format("line {}: {}", line, action);
}

std::string title_of(const Fix& fix, const Source& source) {
  std::string title;
  for (const auto& edit : fix.edits)
    title += (title.empty() ? "" : ", ") + described(edit, source).action;
  return title;
}

}  // namespace msci
