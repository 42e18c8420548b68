// Errors, warnings and notes on standard error, the same for all programs.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace msci {

// Prints "program: message"; returns could_not_check.
// Messages can hold text of kernels, of drivers and of file names, so control characters never
// reach the terminal. Lines after the first are indented, so that they cannot pose as messages of
// ours.
int report_error(std::string_view program, const Error& error);

// Prints "program: warning: message" in the same way.
void report_warning(std::string_view program, std::string_view message);

// Prints "program: message" in the same way.
void report_note(std::string_view program, std::string_view message);

// What these functions print after "program: ".
std::string report_text(std::string_view message);

}  // namespace msci
