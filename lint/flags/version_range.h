// Several versions of the Metal language, as a command line or a configuration names them.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/frontend/version.h"

namespace msci {

// "metal3.1", "all", "metal3.0..metal4.1", "3.0..", "metal2.4,metal4.0" → the versions, oldest
// first. Errors: an unknown spelling (lists the known ones), a range without versions.
Result<std::vector<LanguageVersion>> language_version_range(std::string_view text);

}  // namespace msci
