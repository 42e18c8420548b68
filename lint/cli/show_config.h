// msci-lint --show-config: the settings that apply to a file.
#pragma once

#include <span>
#include <string>

#include "lint/run/lint_files.h"

namespace msci {

// JSON with the configuration's path (null without one), whether it excludes the file, how the file
// is compiled, and the severity of each rule ("off": it does not run). The file need not exist.
// Errors: as for request_for().
Result<std::string> settings_of(const std::string& file, const LintOptions& lint_options,
                                Configs& configs, std::span<const ListedRule> rules);

}  // namespace msci
