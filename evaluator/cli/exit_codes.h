// The exit codes of msci-eval, and how it reports an error.
#pragma once

#include <string>

#include "base/result.h"

namespace msci {

inline constexpr int all_right = 0;
inline constexpr int not_right = 1;  // a kernel is rejected or wrong
inline constexpr int could_not_check = 2;

// Prints the error to standard error; returns could_not_check.
int report_error(const Error& error);

// Whether text on standard output has colours; by --color, as colour_for() says.
bool wants_colour(const std::string& choice);

}  // namespace msci
