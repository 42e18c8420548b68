#include "lint/rule.h"

#include <clang/Basic/SourceLocation.h>

#include <utility>

namespace msci {

Reporter::Draft& Reporter::Draft::note(const Range& range, std::string message) {
  if (finding_ && range.begin.line) finding_->notes.push_back({range, std::move(message)});
  return *this;
}

Reporter::Draft& Reporter::Draft::note(clang::SourceRange range, std::string message) {
  return note(unit_.locate(range), std::move(message));
}

Reporter::Draft& Reporter::Draft::fix(std::vector<Edit> edits) {
  if (finding_) finding_->fixes.push_back({.edits = std::move(edits), .safe = true});
  return *this;
}

Reporter::Draft& Reporter::Draft::unsafe_fix(std::vector<Edit> edits) {
  if (finding_) finding_->fixes.push_back({.edits = std::move(edits), .safe = false});
  return *this;
}

Reporter::Draft& Reporter::Draft::severity(Severity severity) {
  if (finding_) finding_->severity = severity;
  return *this;
}

Reporter::Draft Reporter::operator()(const Range& range, std::string message) {
  if (range.begin.line == 0) return {nullptr, unit_};
  findings_.push_back({.rule = std::string(rule_),
                       .severity = severity_,
                       .range = range,
                       .message = std::move(message)});
  return {&findings_.back(), unit_};
}

Reporter::Draft Reporter::operator()(clang::SourceRange range, std::string message) {
  return (*this)(unit_.locate(range), std::move(message));
}

Reporter::Draft Reporter::operator()(clang::SourceLocation location, std::string message) {
  return (*this)(clang::SourceRange(location), std::move(message));
}

Reporter::Draft Reporter::in_host(const Range& range, std::string message) {
  const auto [file, place] = expectation_.host->place(range);
  auto draft = (*this)(place, std::move(message));
  if (place.begin.line) findings_.back().file = file->name;
  return draft;
}

std::string_view ListedRule::summary() const {
  // "# name", then the sentence.
  auto text = page.substr(std::min(page.find('\n'), page.size()));
  text.remove_prefix(std::min(text.find_first_not_of("\n "), text.size()));
  const auto end = std::min(text.find(".\n"), text.find(". "));
  return text.substr(0, end == std::string_view::npos ? text.find('\n') : end);
}

}  // namespace msci
