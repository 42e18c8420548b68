#include "lint/rule.h"

#include <clang/Basic/SourceLocation.h>

#include <utility>

namespace msci {

Reporter::Draft& Reporter::Draft::note(Place place, std::string message) {
  if (finding_ && place.is_known())
    finding_->notes.push_back({std::move(place), std::move(message)});
  return *this;
}

Reporter::Draft& Reporter::Draft::note(clang::SourceRange range, std::string message) {
  return note(unit_.locate(range), std::move(message));
}

Reporter::Draft& Reporter::Draft::fix(std::vector<Edit> edits) {
  if (finding_) finding_->fixes.push_back({.edits = std::move(edits), .safe = true});
  return *this;
}

Reporter::Draft& Reporter::Draft::severity(Severity severity) {
  if (finding_) finding_->severity = severity;
  return *this;
}

Reporter::Draft Reporter::operator()(Place place, std::string message) {
  if (!place.is_known()) return {nullptr, unit_};
  findings_.push_back({.rule = std::string(rule_),
                       .severity = severity_,
                       .place = std::move(place),
                       .message = std::move(message)});
  return {&findings_.back(), unit_};
}

Reporter::Draft Reporter::operator()(clang::SourceRange range, std::string message) {
  return (*this)(unit_.locate(range), std::move(message));
}

Reporter::Draft Reporter::in_host(const Range& range, std::string message) {
  const auto [file, local] = contract_.host->place(range);
  return (*this)(Place{file->name, local}, std::move(message));
}

std::string_view ListedRule::summary() const {
  // "# name", then the sentence.
  auto text = page.substr(std::min(page.find('\n'), page.size()));
  text.remove_prefix(std::min(text.find_first_not_of("\n "), text.size()));
  const auto end = std::min(text.find(".\n"), text.find(". "));
  return text.substr(0, end == std::string_view::npos ? text.find('\n') : end);
}

}  // namespace msci
