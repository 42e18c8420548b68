// Turns the options of the command line into values.
#pragma once

#include <optional>

#include "lint/cli/options.h"
#include "lint/output/formats.h"
#include "lint/run/lint_files.h"

namespace msci {

// Errors: options that contradict each other, or no file.
[[nodiscard]] std::optional<Error> validate(const Options& options);

// Errors: an unknown rule, severity, language version or task; a host that cannot be read.
Result<LintOptions> lint_options_from(const Options& options, std::span<const ListedRule> rules,
                                      FindTask find_task);

// Errors: the named configuration cannot be read or is invalid.
Result<Configs> configs_from(const Options& options);

// The pages that findings link to: those of --rule-pages, else the installed ones.
RulePages rule_pages_from(const Options& options);

// Colours by --color, the environment (NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM) and whether
// standard output is a terminal.
Colour colour_from(const Options& options);

}  // namespace msci
