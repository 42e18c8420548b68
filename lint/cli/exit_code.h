// The exit codes of msci-lint.
#pragma once

namespace msci {

enum LintExitCode { valid = 0, invalid = 1, could_not_check = 2 };

}  // namespace msci
