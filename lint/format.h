// Reports as text for people, as JSON for programs and as comments for GitHub; nothing is decided
// here.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lint/lint.h"

namespace msci {

// What lint says about some sources, in their order, and why it can say nothing about others.
struct Linting {
  std::vector<Report> reports;
  std::vector<Error> errors;
};

enum class Colour { none, ansi };

// Findings in the manner of compilers: place, severity, message, rule; the line, a caret, fixes.
std::string to_text(const Report& report, Colour colour = Colour::none);

// How many findings of each severity.
struct Counts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  Counts& operator+=(const Counts& other);
  bool operator==(const Counts&) const = default;
};
Counts counts_of(const Report& report);
Counts counts_of(const Linting& linting);

// "3 files: 2 errors, 1 warning, 0 notes", to end a run.
std::string summary(const Counts& counts, std::size_t files);

// One JSON object on one line, with the fields of the pre-check (docs/json.md). Always valid UTF-8.
std::string to_json(const Report& report);

// Workflow commands that GitHub shows at the lines of a change, one a finding.
std::string to_github(const Report& report);

// What a fix does, in a line: "replace 'restrict' with '__restrict'".
std::string title_of(const Fix& fix, const Source& source);

// The rules, one a line, each with the severity and the first sentence of its page.
std::string rule_list(std::span<const ListedRule> rules);

}  // namespace msci
