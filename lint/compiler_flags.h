// Flags of Apple's Metal compiler.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lint/metal/compile_options.h"

namespace msci {

// Adds what the flags say about reading a source to the options, and passes over those that say
// nothing about it. Returns the flags that are not known. Errors: a flag without its value; an
// unknown language version.
Result<std::vector<std::string>> take_compiler_flags(const std::vector<std::string>& flags,
                                                     CompileOptions& options,
                                                     std::optional<LanguageVersion>& version);

}  // namespace msci
