// The exit codes of msci-eval, and how it reports an error.
#pragma once

#include "base/result.h"

namespace msci {

inline constexpr int all_right = 0;
inline constexpr int not_right = 1;  // a kernel is rejected or wrong
inline constexpr int could_not_check = 2;

// Prints the error to standard error; returns could_not_check.
int report_error(const Error& error);

// Whether standard output is a terminal that takes colours.
bool wants_colour();

}  // namespace msci
