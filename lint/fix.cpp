#include "lint/fix.h"

#include <algorithm>

namespace msci {
namespace {

struct Change {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string replacement;
};

bool overlap(const Change& a, const Change& b) { return a.begin < b.end && b.begin < a.end; }

}  // namespace

std::string fixed(const Source& source, const std::vector<Finding>& findings) {
  std::vector<Change> changes;
  for (const auto& finding : findings) {
    if (finding.fixes.empty()) continue;
    std::vector<Change> wanted;
    for (const auto& edit : finding.fixes.front().edits)
      wanted.push_back({offset_of(source, edit.range.begin), offset_of(source, edit.range.end),
                        edit.replacement});
    const bool clashes = std::any_of(wanted.begin(), wanted.end(), [&](const Change& change) {
      return std::any_of(changes.begin(), changes.end(),
                         [&](const Change& done) { return overlap(change, done); });
    });
    if (!clashes) changes.insert(changes.end(), wanted.begin(), wanted.end());
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.begin < b.begin; });
  std::string text;
  std::size_t copied = 0;
  for (const auto& change : changes) {
    text.append(source.text, copied, change.begin - copied);
    text.append(change.replacement);
    copied = change.end;
  }
  return text.append(source.text, copied);
}

}  // namespace msci
