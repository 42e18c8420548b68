#include "lint/fix.h"

#include <algorithm>
#include <tuple>

namespace msci {
namespace {

struct Change {
  std::size_t begin = 0;
  std::size_t end = 0;
  Edit edit;
  bool operator==(const Change&) const = default;
};

// An insertion may touch the edge of another change, but not lie within it.
bool overlap(const Change& a, const Change& b) { return a.begin < b.end && b.begin < a.end; }

// The first fix of a finding that is safe enough, or null.
const Fix* suitable(const Finding& finding, Fixes which) {
  const auto found = std::find_if(finding.fixes.begin(), finding.fixes.end(), [&](const Fix& each) {
    return each.safe || which == Fixes::all;
  });
  return found == finding.fixes.end() ? nullptr : &*found;
}

// The text with the line end of the line that it comes into.
std::string with_line_end_at(std::size_t place, std::string_view source, std::string_view text) {
  auto end = source.find('\n', place);
  if (end == source.npos) end = source.rfind('\n');  // the last line may have none
  const bool has_return = end != source.npos && end > 0 && source[end - 1] == '\r';
  std::string same;
  for (const char c : text) {
    if (has_return && c == '\n' && !same.ends_with('\r')) same += '\r';
    same += c;
  }
  return same;
}

std::vector<Change> changes_of(const Fix& fix, const Source& source) {
  std::vector<Change> changes;
  for (auto edit : fix.edits) {
    const auto begin = offset_of(source, edit.place.range.begin);
    edit.replacement = with_line_end_at(begin, source.text, edit.replacement);
    changes.push_back({begin, offset_of(source, edit.place.range.end), edit});
  }
  return changes;
}

// Two findings may request the same insertion; it is applied once.
bool clash(const std::vector<Change>& wanted, const std::vector<Change>& done) {
  return std::any_of(wanted.begin(), wanted.end(), [&](const Change& change) {
    return std::any_of(done.begin(), done.end(),
                       [&](const Change& each) { return overlap(change, each) || change == each; });
  });
}

// Sets the text and the edits.
void apply(std::vector<Change> changes, const std::string& old, FixedText& fixed) {
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  std::size_t copied = 0;
  for (auto& change : changes) {
    fixed.text.append(old, copied, change.begin - copied);
    fixed.text.append(change.edit.replacement);
    copied = change.end;
    fixed.edits.push_back(std::move(change.edit));
  }
  fixed.text.append(old, copied);
}

}  // namespace

FixedText apply_fixes(const Source& source, const std::vector<Finding>& findings, Fixes which) {
  std::vector<Change> changes;
  FixedText fixed;
  for (const auto& finding : findings) {
    if (!finding.place.file.empty()) continue;  // hosts and included files are never changed
    const auto* chosen = suitable(finding, which);
    if (!chosen) continue;
    const auto wanted = changes_of(*chosen, source);
    if (clash(wanted, changes)) continue;
    changes.insert(changes.end(), wanted.begin(), wanted.end());
    fixed.fixes.push_back(finding.rule);
  }
  apply(std::move(changes), source.text, fixed);
  return fixed;
}

}  // namespace msci
