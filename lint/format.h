// Reports as text for people and as JSON for programs; nothing is decided here.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lint/lint.h"

namespace msci {

enum class Colour { none, ansi };

// Findings in the manner of compilers: place, severity, message, rule; the line, a caret, fixes.
std::string to_text(const Report& report, Colour colour = Colour::none);

// "2 errors and 1 warning in 3 files", to end a run.
std::string summary(std::span<const Report> reports);

// One JSON object on one line, with the fields of the pre-check (docs/json.md). Always valid UTF-8.
std::string to_json(const Report& report);

// A rule's page for a terminal; a list of rules with their summaries.
std::string rule_list(std::span<const ListedRule> rules);

}  // namespace msci
