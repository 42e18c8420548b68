// Versions of the Metal language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace msci {

// A version of the Metal language: 310 is metal3.1, as in __METAL_VERSION__.
struct LanguageVersion {
  unsigned number = 310;
  bool operator==(const LanguageVersion&) const = default;
};

// "metal3.1".
std::string spelling_of(const LanguageVersion& version);

// Those that Apple has published, oldest first.
std::vector<LanguageVersion> language_versions();

// "metal3.1", "macos-metal2.3", "ios-metal1.0" → the version. Errors: an unknown spelling (lists
// the known ones).
Result<LanguageVersion> language_version(std::string_view standard);

}  // namespace msci
