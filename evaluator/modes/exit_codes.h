// How msci-eval reports an error.
#pragma once

#include <string>

#include "base/io/exit_status.h"
#include "base/result.h"

namespace msci {

// Prints the error to standard error; returns could_not_check.
int report_error(const Error& error);

// Whether text on standard output has colours; by --color, as colour_for() says.
bool wants_colour(const std::string& choice);

}  // namespace msci
