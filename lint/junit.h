// Reports as JUnit's XML, which most CI systems show.
#pragma once

#include <string>

#include "lint/format.h"

namespace msci {

// A suite a file and a case a finding: an error is a failure, anything else passes and says so. A
// file without findings is one case that passes, one that could not be checked one in error.
std::string to_junit(const Linting& linting);

}  // namespace msci
