// From the words of the command line to values.
#pragma once

#include "lint/check.h"
#include "lint/format.h"
#include "lint/options.h"

namespace msci {

// Errors: options that make no sense together, or no file.
Result<std::monostate> sensible(const Options& options);

// What must be in a source: these kernels, and those of the task, if one is named. Errors: an
// unknown task.
Result<Expectation> expectation_from(const std::string& task, std::vector<std::string> kernels,
                                     std::string from);

// Errors: an unknown rule, severity, language version or task; a host that
// cannot be read.
Result<Wishes> wishes_from(const Options& options);

// Errors: the configuration that is named cannot be read, or is none.
Result<Configs> configs_from(const Options& options);

Colour colour_from(const Options& options);

}  // namespace msci
